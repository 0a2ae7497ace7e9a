import { randomUUID } from 'node:crypto'
import { newId } from '../../db/ids.ts'
import type { Inbound } from '../../db/inbox/inbound.ts'
import { receiveMessage } from '../../db/inbox/receive-message.ts'
import { givenPeople } from './given.ts'
import type { TestService } from './service.ts'

const hour = 60 * 60 * 1000

/** A person in a new workspace, from whom mail can be received. */
export async function givenSender(service: TestService) {
  const { db, clock } = service
  const workspace = await service.workspace()
  const { id, connections, call } = workspace
  const email = `cleo-${randomUUID()}@client.example`
  const [person = ''] = await givenPeople(db, id, [{ name: 'Cleo', email }], clock.now())
  const mail = (more: Partial<Inbound> = {}): Inbound => ({
    workspace: id,
    connection: connections[0],
    externalId: `<${randomUUID()}@client>`,
    from: { name: 'Cleo Marsh', address: email },
    to: 'ana@us.example',
    subject: 'A cold room',
    text: 'Hello.',
    at: clock.now(),
    references: [],
    files: [],
    automated: false,
    ...more,
  })
  const receive = (more: Partial<Inbound> = {}) =>
    db.transaction().execute((trx) => receiveMessage(trx, mail(more), clock.now()))
  const read = async (conversation: string) =>
    (await call('GET', `/conversations/${conversation}`)).body
  const messages = async (conversation: string) =>
    (await call('GET', `/conversations/${conversation}/messages`)).body.messages
  return { ...workspace, person, email, mail, receive, read, messages }
}

/** A letter of a running campaign that was sent an hour ago, and the two that are to follow. */
export async function lettersTo(
  service: TestService,
  given: Awaited<ReturnType<typeof givenSender>>,
  state: 'sent' | 'sending' = 'sent',
) {
  const { db, clock } = service
  const now = clock.now()
  const hourAgo = new Date(now.getTime() - hour)
  const campaign = newId('cmp')
  const made = { createdAt: now, updatedAt: now, startedAt: hourAgo }
  await db
    .insertInto('campaigns')
    .values({
      id: campaign,
      workspace: given.id,
      name: 'C',
      goal: '',
      state: 'running',
      agent: given.agent,
      ...made,
      runEpoch: 1,
      runner: `${given.id}:runner-${campaign}`,
    })
    .execute()
  const messageId = `<${newId('tch')}@us.example>`
  const touches = ([state, 'queued', 'review'] as const).map((state, i) => ({
    id: newId('tch'),
    workspace: given.id,
    campaign,
    person: given.person,
    place: i + 1,
    state,
    dueAt: i === 0 ? hourAgo : new Date(now.getTime() + i * hour),
    createdAt: hourAgo,
    connection: given.connections[0],
    toAddress: given.email,
    subject: 'A cold room',
    ...(i === 0 && { messageId, claimedAt: hourAgo, claimedDay: '2026-11-23', attempt: 'a' }),
    ...(i === 0 && (state === 'sent' ? { sentAt: hourAgo } : { reason: 'unconfirmed' })),
  }))
  await db.insertInto('touches').values(touches).execute()
  const states = async () =>
    (
      await db
        .selectFrom('touches')
        .selectAll()
        .where('campaign', '=', campaign)
        .orderBy('place')
        .execute()
    ).map(({ state, reason }) => (reason ? `${state} ${reason}` : state))
  const ids = touches.map(({ id }) => id)
  return { campaign, messageId, states, ids, runner: `${given.id}:runner-${campaign}` }
}
