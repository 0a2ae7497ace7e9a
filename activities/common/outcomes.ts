import type { Db } from '../../db/database.ts'
import { findOperation } from '../../db/operations/operations.ts'
import type { Log } from '../../process/telemetry/log.ts'
import { counted } from '../../process/telemetry/metrics.ts'
import type { Outcome, Told } from '../../workflows/outcome.ts'

// How operations and letters ended, for operators: the result of the workflow, a log line for everything that did not end well,
// and a count of letters.

type Deps = { db: Db; log: Log; searchable?(): boolean }

const word = (value: unknown) =>
  typeof value === 'string' && /^[\w.]{1,60}$/.test(value) ? value : undefined

// The status of the answer, for a refusal that is stored for a caller.
const notCounted = new Set(['status'])

const countsIn = (values: unknown): Record<string, number> =>
  Object.fromEntries(
    Object.entries((values ?? {}) as object).filter(
      ([name, value]) => typeof value === 'number' && !notCounted.has(name),
    ),
  )

/** How an operation has ended. One that failed or was cancelled is logged. */
async function endedAs({ db, log }: Deps, id: string): Promise<Outcome> {
  const operation = await findOperation(db, id)
  if (!operation?.endedAt) return { state: operation?.state ?? 'gone' }
  const result = (operation.result ?? {}) as Record<string, unknown>
  const [reason, code] = [word(result['reason']), word(result['code'])]
  const why = { ...(reason && { reason }), ...(code && { code }) }
  if (operation.state !== 'done') {
    const { workspace, workflowType, resource, state } = operation
    const line = { operation: id, workspace, workflow: workflowType, resource, state, ...why }
    if (state === 'failed') log.warn(line, `${workflowType} failed${reason ? `: ${reason}` : ''}`)
    else log.info(line, `${workflowType} was cancelled`)
  }
  return outcomeIn(operation.state, result)
}

/** The outcome of an operation that ended in a state with a result. */
export function outcomeIn(state: string, result: Record<string, unknown>): Outcome {
  const [reason, code] = [word(result['reason']), word(result['code'])]
  return {
    ...countsIn(result),
    ...countsIn(result['rows']),
    ...(reason && { reason }),
    ...(code && { code }),
    state: word(result['state']) ?? state,
  }
}

type Operated = { operation: string }

/** Wraps an activity that ends an operation, so that it returns how the operation ended. */
const ending =
  <Input extends { operation: string | null }>(
    deps: Deps,
    activity: (input: Input) => Promise<unknown>,
  ) =>
  async (input: Input): Promise<Outcome> => {
    await activity(input)
    return input.operation === null ? { state: 'done' } : endedAs(deps, input.operation)
  }

/** Wraps an activity that says what is next, so that it also returns how its operation ended if nothing is. */
const stepping =
  <Input extends Operated, Step extends { do: string; outcome?: Outcome }>(
    deps: Deps,
    activity: (input: Input) => Promise<Step>,
  ) =>
  async (input: Input): Promise<Step & Told> => {
    const step = await activity(input)
    if (step.do === 'end')
      return { ...step, outcome: step.outcome ?? (await endedAs(deps, input.operation)) }
    return shown(deps, step)
  }

/** The same for an activity that may leave the answer to another one. */
const steppingIfAny =
  <Input extends Operated, Step extends { do: string; outcome?: Outcome }>(
    deps: Deps,
    activity: (input: Input) => Promise<Step | null>,
  ) =>
  async (input: Input): Promise<(Step & Told) | null> => {
    const step = await activity(input)
    return step && stepping(deps, async () => step)(input)
  }

const shown = <Step extends { do: string }>({ searchable }: Deps, step: Step): Step & Told =>
  step.do === 'deliver' || !searchable?.() ? step : { ...step, searchable: true }

/** Wraps an activity that says what is next and ends nothing. */
const looking =
  <Input, Step extends { do: string }>(deps: Deps, activity: (input: Input) => Promise<Step>) =>
  async (input: Input): Promise<Step & Told> =>
    shown(deps, await activity(input))

/** The same for an activity that is resumed where it stood. */
const goingOn =
  <Input, Step extends { ended: boolean }>(deps: Deps, activity: (input: Input) => Promise<Step>) =>
  async (input: Input & Operated): Promise<Step & { outcome?: Outcome }> => {
    const step = await activity(input)
    if (!step.ended) return step
    return { ...step, outcome: await endedAs(deps, input.operation) }
  }

export const outcomes = { ending, stepping, steppingIfAny, looking, goingOn }

export type Kind = 'message' | 'letter' | 'invitation'
type Letter = {
  id: string
  workspace: string
  state: string
  reason: string | null
  connection: string | null
  code?: string | null
}

/** The result of the workflow of a letter that has no operation. */
export const outcomeOf = (letter: Letter | undefined): Outcome =>
  letter
    ? {
        state: letter.state,
        ...(letter.reason && { reason: letter.reason }),
        ...(letter.code && { code: letter.code }),
      }
    : { state: 'gone' }

/**
 * Compares a letter's row before and after an attempt, counts the outcome, and logs it unless the letter was sent. For
 * messages, only "unconfirmed" is logged: their operation is logged when it ends.
 */
export function tellOutcome(
  { log }: Pick<Deps, 'log'>,
  kind: Kind,
  before: Letter | undefined,
  after: Letter | undefined,
) {
  if (!after || (before?.state === after.state && before.reason === after.reason)) return
  const isUnconfirmed = after.state === 'sending' && after.reason === 'unconfirmed'
  if (!isUnconfirmed && !['sent', 'failed', 'cancelled'].includes(after.state)) return
  const outcome = isUnconfirmed ? 'unconfirmed' : after.state
  counted('letters', { kind, outcome, reason: isUnconfirmed ? '' : (after.reason ?? '') })
  if (outcome === 'sent' || (kind === 'message' && !isUnconfirmed)) return
  const { id, workspace, connection, reason, code } = after
  const line = { [kind]: id, workspace, connection, state: outcome, reason, ...(code && { code }) }
  log.warn(
    line,
    isUnconfirmed ? `nobody knows whether the ${kind} arrived` : `the ${kind} is ${outcome}`,
  )
}
