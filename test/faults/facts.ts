import { sql } from 'kysely'
import type { Plan } from './plan.ts'
import type { Outcome } from './scenario.ts'
import type { Stack } from './stack.ts'

// The outcome of a run, read at one time: the rows, what the mail server accepted, and which workflows exist.

export type Facts = Awaited<ReturnType<typeof readFacts>>

export async function readFacts({ db, clock, client, mail }: Stack, run: Outcome) {
  const { workspace, campaign } = run
  const [
    arrived,
    unreadable,
    touches,
    messages,
    joined,
    operations,
    outbox,
    usage,
    audit,
    notices,
    runner,
    workflows,
  ] = await Promise.all([
    db
      .selectFrom('messages')
      .innerJoin('connections', 'connections.id', 'messages.connection')
      .select(['messages.messageId', 'connections.account'])
      .where('messages.workspace', '=', workspace)
      .where('direction', '=', 'inbound')
      .where('messages.messageId', 'is not', null)
      .execute(),
    db
      .selectFrom('notifications')
      .select('kind')
      .where('workspace', '=', workspace)
      .where('kind', '=', 'message.unreadable')
      .execute(),
    db.selectFrom('touches').selectAll().where('campaign', '=', campaign).execute(),
    db
      .selectFrom('messages')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('operation', 'is not', null)
      .orderBy('dueAt')
      .orderBy('seq')
      .execute(),
    db
      .selectFrom('messages')
      .select(['touch', 'conversation'])
      .where('workspace', '=', workspace)
      .where('touch', 'is not', null)
      .execute(),
    db.selectFrom('operations').selectAll().where('workspace', '=', workspace).execute(),
    db.selectFrom('outbox').selectAll().where('dispatchedAt', 'is', null).execute(),
    db.selectFrom('connectionUsage').selectAll().execute(),
    db
      .selectFrom('audit')
      .select(['at', 'key', 'action', 'resource', sql<string>`after ->> 'state'`.as('to')])
      .where('workspace', '=', workspace)
      .orderBy('seq')
      .execute(),
    db
      .selectFrom('notifications')
      .select('kind')
      .where('workspace', '=', workspace)
      .where('kind', 'like', '%.unconfirmed')
      .execute(),
    db
      .selectFrom('campaigns')
      .select(['runner', 'state'])
      .where('id', '=', campaign)
      .executeTakeFirstOrThrow(),
    listWorkflows(client),
  ])
  return {
    now: clock.now(),
    /** The mails that were laid into mailboxes, each with how often it was stored. */
    laid: run.laid.map((mail) => ({
      ...mail,
      times: arrived.filter(
        ({ messageId, account }) => messageId === mail.messageId && account === mail.account,
      ).length,
    })),
    /** Mails of which a member was told that they cannot be read. */
    unreadable: unreadable.length,
    touches,
    messages,
    /** Of a campaign letter in its conversation. */
    joined,
    operations,
    outbox,
    usage,
    audit,
    moves: audit.filter(
      ({ action, resource }) => action === 'campaign.moved' && resource === campaign,
    ),
    notices,
    runner: runner.state === 'running' ? runner.runner : null,
    workflows,
    accepted: mail.messages(),
  }
}

async function listWorkflows(client: Stack['client']) {
  const workflows: { id: string; run: string; type: string; status: string }[] = []
  for await (const { workflowId: id, runId: run, type, status } of client.workflow.list())
    workflows.push({ id, run, type, status: status.name })
  return workflows
}

/** What an operation or a letter may wait for when nothing is wrong: a person's decision, a day, or more people. */
const patient = new Set(['resolve', 'nobody_left', 'letter_not_agreed', 'day_limit'])

/** They run for as long as there are mailboxes. */
const readers = new Set(['syncMailbox', 'readMailboxes'])

/** What is still under way, each as a sentence; a run has settled when nothing is. */
export function unsettled({ now, touches, messages, operations, ...facts }: Facts, plan: Plan) {
  const held = isHeld(facts, plan)
  const mayRun = new Set([
    facts.runner,
    ...touches.filter(isUnconfirmed).map(({ workflow }) => workflow),
    ...messages.filter(isUnconfirmed).map(({ operation }) => operation),
  ])
  const unread = facts.laid.filter(({ times }) => times === 0)
  return [
    ...unread
      .slice(facts.unreadable)
      .map(({ messageId, account }) => `mail ${messageId} of ${account} is not read`),
    ...touches
      .filter(
        ({ state, dueAt, nextTryAt }) => state === 'queued' && (nextTryAt ?? dueAt) <= now && !held,
      )
      .map(({ id, dueAt }) => `letter ${id} is due since ${dueAt.toISOString()}`),
    ...messages
      .filter(({ state }) => state === 'queued')
      .map(({ id }) => `message ${id} is queued`),
    ...[...touches, ...messages]
      .filter((unit) => unit.state === 'sending' && !isUnconfirmed(unit))
      .map(({ id }) => `${id} is sending`),
    ...operations
      .filter(({ endedAt }) => endedAt === null)
      .filter(({ state, waitingFor }) => state !== 'waiting' || !patient.has(waitingFor ?? ''))
      .map(({ id, kind, state, waitingFor }) => `${kind} ${id} is ${state} ${waitingFor ?? ''}`),
    ...facts.outbox.map(
      ({ id, workflowId }) => `command ${id} to ${workflowId} is not carried out`,
    ),
    ...facts.workflows
      .filter(({ type }) => !readers.has(type))
      .filter(({ id, status }) => status === 'RUNNING' && !mayRun.has(id))
      .map(({ id, type }) => `${type} ${id} runs`),
  ]
}

export const isUnconfirmed = ({ state, reason }: { state: string; reason: string | null }) =>
  state === 'sending' && reason === 'unconfirmed'

/** No account may send another campaign letter that day. */
const isHeld = ({ usage }: Pick<Facts, 'usage'>, { ending, limitDay }: Plan) =>
  ending === 'limited' && ['con_ana', 'con_ben'].every((id) => usedOf(usage, id) >= limitDay)

export const usedOf = (usage: Facts['usage'], connection: string) =>
  usage.filter((row) => row.connection === connection).reduce((sum, { used }) => sum + used, 0)
