import { startImapServer } from '../support/imap-server/server.ts'
import { type Facts, readFacts, unsettled } from './facts.ts'
import { checkHistories } from './histories.ts'
import { invariants } from './invariants.ts'
import { type Plan, planOf } from './plan.ts'
import { type Outcome, runScenario } from './scenario.ts'
import { type Stack, startStack } from './stack.ts'

// Patience for a slow machine; a run that settles earlier is not waited for.
const settlesWithinMs = 180_000

export type Report = {
  seed: number
  seconds: number
  /** What happened, in words for one line. */
  summary: string
  /** The invariants that do not hold, with what breaks them. */
  violations: { invariant: string; details: string[] }[]
  /** Where the logs are; kept only when something is violated. */
  folder: string
}

/** One seed from a new stack to its end: the faults, the wait, and whether every invariant holds. */
export async function runSeed(seed: number): Promise<Report> {
  const from = Date.now()
  const plan = planOf(seed)
  const { profile, random } = plan.mailboxes
  const stack = await startStack(String(seed), { crashAt: plan.firstCrash })
  const imap = await startImapServer({ profile, random: random.fraction })
  const report: Report = { seed, seconds: 0, summary: '', violations: [], folder: stack.folder }
  try {
    const outcome = await runScenario(stack, plan, imap)
    report.summary = await examine(stack, plan, outcome, report.violations)
  } catch (error) {
    const details = [error instanceof Error ? (error.stack ?? error.message) : String(error)]
    report.violations.push({ invariant: 'the run comes to its end', details })
  } finally {
    await stack.stop({ keep: report.violations.length > 0 })
    await imap.stop()
  }
  report.seconds = Math.round((Date.now() - from) / 100) / 10
  return report
}

async function examine(
  stack: Stack,
  plan: Plan,
  run: Outcome,
  violations: Report['violations'],
): Promise<string> {
  const violated = (invariant: string, details: string[]) => {
    if (details.length > 0) violations.push({ invariant, details })
  }
  stack.say('the faults are over')
  const over = Date.now()
  const facts = await settled(stack, plan, run, over + settlesWithinMs)
  stack.say('settled')
  const settledMs = Date.now() - over
  for (const [name, check] of Object.entries(invariants)) violated(name, check(facts, plan, run))

  violated('no process ends by itself', endedByThemselves(stack.deaths, plan))

  const { client } = run
  const different: string[] = []
  for (const call of client.kept) {
    const { method, path, body, key } = call
    const again = await client.persistently(method, path, body, key, 30_000)
    if (again.status === call.status && again.text === call.text) continue
    different.push(`${method} ${path} ${key}: ${call.text} and then ${again.text}`)
  }
  violated('a repeated key is answered byte for byte', different)

  const histories = await checkHistories(stack, facts, run.secret)
  violated('every history replays', histories.broken)
  violated('no history tells anything private', histories.telling)

  const count = (units: { state: string; reason: string | null }[]) =>
    ['sent', 'sending', 'failed', 'queued']
      .map((state) => [units.filter((unit) => unit.state === state).length, state] as const)
      .filter(([n]) => n > 0)
      .map(([n, state]) => `${n} ${state === 'sending' ? 'unconfirmed' : state}`)
      .join(' ')
  const deaths = Object.entries(stack.deaths).map(([part, n]) => `${part} ${n}`)
  const { dropped, deferred, refused, late } = run.mail
  const { profile, rows } = plan.mailboxes
  const first = facts.touches.filter(({ place }) => place === 1)
  return [
    `${plan.ending}, ${plan.workers} worker${plan.workers > 1 ? 's' : ''}`,
    faultsOf(plan),
    `deaths ${deaths.join(' ') || 'none'}`,
    `mail dropped ${dropped} deferred ${deferred} refused ${refused} late ${late}`,
    `letters ${count(first)}`,
    `messages ${count(facts.messages)}`,
    `${profile} lied ${rows.length} ways, ${run.laid.length} mails`,
    `${run.pauses.length} stops, ${client.kept.length} answers, ${client.repeats()} repeats`,
    `${histories.count} histories`,
    `settled in ${(settledMs / 1000).toFixed(1)} s`,
  ].join('; ')
}

/** The facts once nothing is under way, or as they stand at the deadline. What was killed last may still be coming back. */
async function settled(stack: Stack, plan: Plan, run: Outcome, deadline: number): Promise<Facts> {
  for (;;) {
    const facts = await readFacts(stack, run).catch((error: Error) => error)
    const late = Date.now() > deadline
    if (facts instanceof Error) {
      if (late) throw facts
    } else if (late || unsettled(facts, plan).length === 0) return facts
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** How many deaths there were beyond the plan; a part that is already dead is not killed again. */
function endedByThemselves(deaths: Stack['deaths'], plan: Plan): string[] {
  const planned: Record<string, number> = {
    api: plan.apiDiesWhileSettingUp ? 1 : 0,
    worker: plan.firstCrash ? 1 : 0,
  }
  const brought = (part: string, count: number) => {
    planned[part] = (planned[part] ?? 0) + count
  }
  for (const fault of plan.faults) {
    if (fault.do === 'kill') brought(fault.part, 1)
    // It is killed to be started with the point at which it dies.
    if (fault.do === 'crash') brought('worker', 2)
  }
  return Object.entries(deaths)
    .filter(([part, count]) => count > (planned[part] ?? 0))
    .map(([part, count]) => `${part} ended ${count} times, ${planned[part] ?? 0} by the plan`)
}

function faultsOf({ faults, firstCrash }: Plan): string {
  const names = faults.map((fault) =>
    fault.do === 'crash'
      ? `crash ${fault.point}`
      : fault.do === 'freeze'
        ? 'freeze worker'
        : `${fault.do} ${fault.part}`,
  )
  return [...(firstCrash ? [`first crash ${firstCrash}`] : []), ...names].join(', ') || 'no faults'
}
