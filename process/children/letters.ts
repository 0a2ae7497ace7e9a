import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  type Ask,
  type Asks,
  type LetterTemplate,
  type Made,
  members,
} from '../../rules/templates/letters.ts'
import type { Issue } from './letters-child.ts'
import { AsideTrouble, type ChildOutcome, openPool } from './pool.ts'

// How long a template takes depends on what is in it, and nothing can stop a filter that is at work. So a child process with a
// limit of processor time checks templates and makes letters. It is kept warm: a campaign asks it for one letter after the other.

const pool = openPool({
  name: 'letters',
  module: fileURLToPath(new URL('./letters-child.ts', import.meta.url)),
  size: 2,
  mostWaiting: 400,
  mostWaitingOfKey: 100,
  // The heap is larger than what the process may have, so that its watch ends it, which says what it was at.
  heapMb: 600,
  limits: { cpuMs: 3_000, rssMb: 400 },
  wallMs: 20_000,
  jobsOfChild: 5_000,
  idleMs: 10 * 60_000,
  // People wait for letters as they wait for calls.
  priority: constants.priority.PRIORITY_BELOW_NORMAL,
})

/**
 * What is wrong with templates, each with its place in the list; nothing if letters can be made of them. In turns with other
 * workspaces, like all of these.
 * @throws AsideTrouble when the templates are not at fault.
 */
export async function checkAside(templates: LetterTemplate[], workspace: string): Promise<Issue[]> {
  const outcome = await run<Issue[]>(workspace, 'check', { templates })
  if (outcome.broke === null) return outcome.value
  const { template, member } = reachedBy(outcome)
  return [{ template, member, code: 'template_too_much', message: `line 1: ${tooMuch}` }]
}

/** Makes a letter. @throws AsideTrouble when its template is not at fault. */
export const makeLetterAside = async (ask: Ask, workspace: string): Promise<Made> =>
  madeBy(await run<Made>(workspace, 'letter', ask))

/**
 * The first of these letters that lacks nothing; otherwise the first that can be made.
 * @throws AsideTrouble when their templates are not at fault.
 */
export const makeExampleAside = async (asks: Asks, workspace: string): Promise<Made> =>
  madeBy(await run<Made>(workspace, 'example', { asks }))

async function run<T>(key: string, kind: string, input: unknown): Promise<ChildOutcome<T>> {
  const outcome = await pool.run<T>({ key, kind, input })
  // A child that had no processor says nothing about its template.
  if (outcome.broke === 'stalled') throw new AsideTrouble('aside_busy')
  return outcome
}

const tooMuch = 'takes more than the limits of time and memory allow'

function madeBy(outcome: ChildOutcome<Made>): Made {
  if (outcome.broke === null) return outcome.value
  const trouble = { code: 'too_much', message: tooMuch, line: 1, isSure: false } as const
  return { kind: 'failed', member: reachedBy(outcome).member, trouble }
}

/** The template and its member at which a job was ended. */
const reachedBy = ({ part = 0 }: { part?: number }) => ({
  template: Math.floor(part / members.length),
  member: members[part % members.length] ?? 'text',
})
