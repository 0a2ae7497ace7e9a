import type { Oauth } from '../../db/accounts/tables.ts'
import type { Trx } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'
import {
  type Described,
  findDescribed,
  insertDescribed,
} from '../../db/workspace/administration.ts'
import {
  insertConversationWith,
  insertFoundAddresses,
  insertTag,
} from '../../db/workspace/content.ts'
import { type Address, readAddress } from '../../rules/addresses.ts'
import { addressKindOf } from '../../rules/channels.ts'
import { oauthProviders } from '../../rules/oauth.ts'
import { messageIdOf } from '../../rules/outgoing.ts'
import { type Mode, playedServers } from '../../rules/sandbox/mode.ts'
import type { Path } from './across.ts'
import { usualHours, usualLimits, type WorkspaceFile } from './shape.ts'

// The file as rows. One file, because both kinds of rows are read from the same members and refer to each other by the same ids:
// items, which follow the file at each run, and content, which is added once.

// Items: the values that the file gives, by column, and the defaults for a new row.

export type Item = {
  table: Described
  noun: string
  id: string
  path: Path
  /** The columns that the file mentions; jsonb as plain values. */
  given: Record<string, unknown>
  defaults: Record<string, unknown>
  passwords?: Record<string, string | undefined>
}

/** The columns that hold jsonb. */
export const jsonColumns = new Set([
  'billing',
  'retention',
  'quotas',
  'smtp',
  'imap',
  'bridge',
  'oauth',
  'caldav',
  'conditions',
  'facts',
  'hours',
])

/** The file's name of a column where it differs. */
export const memberNames: Record<string, string> = {
  houseRules: 'house',
  limitDay: 'limits.day',
  limitWeek: 'limits.week',
  gapSeconds: 'limits.gapSeconds',
}

/** In an order in which each table refers to earlier ones only. */
export const itemsOf = (file: WorkspaceFile): Item[] => [
  workspaceItem(file),
  ...(file.members ?? []).map(
    ({ id, ...given }, i): Item => item('members', 'member', id, i, given, {}),
  ),
  ...(file.connections ?? []).map((connection, i) =>
    connectionItem(file.workspace.mode, connection, i),
  ),
  ...(file.calendars ?? []).map(calendarItem),
  ...(file.products ?? []).map(
    ({ id, ...given }, i): Item => item('products', 'product', id, i, given, { conditions: [] }),
  ),
  ...(file.companies ?? []).map(
    ({ id, ...given }, i): Item => item('companies', 'company', id, i, given, { facts: [] }),
  ),
  ...(file.agents ?? []).map(({ id, ...given }, i): Item => {
    const labels = given.labels?.map((label) => productId(file, label))
    const hours = { zone: file.workspace.timezone, ...usualHours }
    return item('agents', 'agent', id, i, { ...given, labels }, { hours })
  }),
  ...(file.folders ?? []).map(
    ({ id, name, channel }, i): Item =>
      item('folders', 'folder', id, i, { name, connection: channel }, {}),
  ),
]

const item = (
  table: Described,
  noun: string,
  id: string,
  index: number,
  given: Record<string, unknown>,
  defaults: Record<string, unknown>,
): Item => ({ table, noun, id, path: [table, index, 'id'], given: plain(given), defaults })

const workspaceItem = ({ workspace, house, billing, retention, quotas }: WorkspaceFile): Item => {
  const { id, ...given } = workspace
  return {
    table: 'workspaces',
    noun: 'workspace',
    id,
    path: ['workspace', 'id'],
    given: plain({ ...given, houseRules: house, billing, retention, quotas }),
    defaults: {},
  }
}

function connectionItem(
  mode: Mode | undefined,
  connection: NonNullable<WorkspaceFile['connections']>[number],
  index: number,
): Item {
  const { id, kind, name, account, member, limits, authserv, bridge, oauth } = connection
  const { smtp, imap } = serversOf(connection, mode)
  const given = {
    kind,
    account,
    member,
    name: name ?? account,
    limitDay: limits?.day,
    limitWeek: limits?.week,
    gapSeconds: limits?.gapSeconds,
    smtp: withoutPassword(smtp),
    imap: withoutPassword(imap),
    authserv,
    bridge: bridge && { url: bridge.url },
    oauth: oauthOf(oauth),
  }
  const defaults = { ...usualLimits[kind], signals: '[]' }
  return {
    ...item('connections', 'connection', id, index, given, defaults),
    passwords: plain({
      smtp: smtp?.password,
      imap: imap?.password,
      bridge: bridge?.secret,
      oauth: secretOf(oauth),
    }),
  }
}

type Connection = NonNullable<WorkspaceFile['connections']>[number]

/** The mail servers that the file gives, or those of a provider that it names by a word; in a sandbox, those that are played. */
function serversOf(
  { kind, smtp, imap, oauth }: Connection,
  mode: Mode | undefined,
): Pick<Connection, 'smtp' | 'imap'> {
  if (mode === 'sandbox' && kind === 'email')
    return { smtp: smtp ?? playedServers.smtp, imap: imap ?? playedServers.imap }
  if (oauth !== 'google' && oauth !== 'microsoft') return { smtp, imap }
  const provider = oauthProviders[oauth]
  return { smtp: smtp ?? provider.smtp, imap: imap ?? provider.imap }
}

function oauthOf(oauth: Connection['oauth']): Oauth | undefined {
  if (typeof oauth !== 'object') return oauth
  if ('tokenServer' in oauth) return { tokenServer: { url: oauth.tokenServer.url } }
  const { issuer, clientId, scopes = [], grant } = oauth
  return { issuer, clientId, scopes, ...(grant && { grant }) }
}

function secretOf(oauth: Connection['oauth']): string | undefined {
  if (typeof oauth !== 'object') return undefined
  return 'tokenServer' in oauth ? oauth.tokenServer.secret : oauth.clientSecret
}

function calendarItem(
  { id, caldav, ...rest }: NonNullable<WorkspaceFile['calendars']>[number],
  index: number,
): Item {
  const { password, ...server } = caldav
  return {
    ...item('calendars', 'calendar', id, index, { ...rest, caldav: server }, {}),
    passwords: plain({ caldav: password }),
  }
}

type Server = NonNullable<NonNullable<WorkspaceFile['connections']>[number]['smtp']>

function withoutPassword(server: Server | undefined) {
  if (!server) return undefined
  const { password: _, ...rest } = server
  return { ...rest, secure: server.secure ?? false }
}

/** A product tag is a product's id or its exact name. */
const productId = (file: WorkspaceFile, label: string) =>
  (
    file.products?.find(({ id }) => id === label) ??
    file.products?.find(({ name }) => name === label)
  )?.id ?? label

// As it comes back from jsonb, which has no undefined members.
const plain = <T extends Record<string, unknown>>(value: T): T => JSON.parse(JSON.stringify(value))

// Content: the people, conversations and deals of a file are added if they do not exist, and never changed again: from then on
// they belong to those who work with them.

type ContentContext = { trx: Trx; workspace: string; now: Date; changes: string[] }
type Person = NonNullable<WorkspaceFile['people']>[number]
type Conversation = NonNullable<WorkspaceFile['conversations']>[number]
type Message = Conversation['messages'][number]

const tables = ['people', 'conversations', 'deals'] as const

/** Their ids, each with its place in the file. */
export const contentIds = (file: WorkspaceFile) =>
  tables.flatMap((table) =>
    (file[table] ?? []).map(({ id }, i) => ({ table, id, path: [table, i, 'id'] })),
  )

export async function addContent(place: ContentContext, file: WorkspaceFile) {
  await addMissing(place, 'people', file.people, (person) => addPerson(place, file, person))
  await addMissing(place, 'conversations', file.conversations, (conversation) =>
    addConversation(place, file, conversation),
  )
  await addMissing(
    place,
    'deals',
    file.deals,
    async ({ id, label, seller, buyer, agent, stage, closed }) => {
      await insertDescribed(place.trx, 'deals', {
        id,
        workspace: place.workspace,
        label: productId(file, label),
        seller,
        buyer,
        agent,
        stage: stage ?? 'new',
        createdAt: place.now,
        closedAt: closed ? place.now : null,
      })
    },
  )
}

async function addMissing<T extends { id: string }>(
  { trx, changes }: ContentContext,
  table: (typeof tables)[number],
  described: T[] | undefined,
  add: (item: T) => Promise<void>,
) {
  const rows = await findDescribed(
    trx,
    table,
    (described ?? []).map(({ id }) => id),
  )
  const known = new Set(rows.map(({ id }) => id))
  const missing = (described ?? []).filter(({ id }) => !known.has(id))
  for (const item of missing) await add(item)
  if (missing.length > 0) changes.push(`+ ${table}: ${listed(missing.map(({ id }) => id))}`)
}

export const listed = (ids: string[]) =>
  ids.length <= 6 ? ids.join(', ') : `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more`

async function addPerson(
  { trx, workspace, now, changes }: ContentContext,
  file: WorkspaceFile,
  person: Person,
) {
  const { id, name = '', city = '', jobTitle = '', company = '' } = person
  const card = { id, workspace, name, city, jobTitle, company, createdAt: now, updatedAt: now }
  await insertDescribed(trx, 'people', card)
  const taken = await insertFoundAddresses(trx, workspace, id, addressesOf(person))
  for (const address of taken)
    changes.push(`! person ${id}: ${address.given} already belongs to another person`)
  for (const { label, side } of person.tags ?? [])
    await insertTag(trx, { person: id, label: productId(file, label), side, addedAt: now })
}

const addressesOf = (person: Person): Address[] =>
  [
    ...[...(person.email ?? []), ...(person.emails ?? [])].map((text) =>
      readAddress('email', text),
    ),
    ...[...(person.phone ?? []), ...(person.phones ?? [])].map((text) =>
      readAddress('phone', text),
    ),
    ...(person.linkedin ?? []).map((text) => readAddress('linkedin', text)),
  ].flatMap((address) => address ?? [])

async function addConversation(
  place: ContentContext,
  file: WorkspaceFile,
  conversation: Conversation,
) {
  const { workspace, now } = place
  const connection = file.connections?.find(({ id }) => id === conversation.connection)
  const person = file.people?.find(({ id }) => id === conversation.person)
  if (!connection || !person) return
  const member = file.members?.find(({ id }) => id === connection.member)
  const kind = connection.kind
  const handle =
    addressesOf(person).find((address) => address.kind === addressKindOf[kind])?.given ?? ''
  const subject =
    conversation.subject ?? conversation.messages.find((m) => m.subject)?.subject ?? ''
  const us = { name: member?.name ?? '', handle: connection.account }
  const client = { name: person.name ?? '', handle }

  const messages = conversation.messages
    .map((message) => ({ message, at: momentOf(message.at, now) }))
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ message, at }) => {
      const inbound = message.direction === 'inbound'
      const [sender, receiver] = inbound ? [client, us] : [us, client]
      const id = newId('msg')
      return {
        id,
        direction: message.direction,
        senderName: sender.name,
        senderHandle: message.from ?? sender.handle,
        toAddress: message.to ?? receiver.handle,
        subject: message.subject ?? (kind === 'email' ? subject : ''),
        text: message.text,
        at,
        automated: message.automated ?? message.agent !== undefined,
        agent: message.agent ?? null,
        state: inbound ? ('received' as const) : ('sent' as const),
        sentAt: inbound ? null : at,
        messageId: kind === 'email' ? (message.messageId ?? messageIdOf(id, sender.handle)) : null,
        files: filesOf(message),
      }
    })
  await insertConversationWith(place.trx, messages, conversation.labels ?? [], {
    id: conversation.id,
    workspace,
    person: person.id,
    connection: connection.id,
    kind,
    subject,
    owner: conversation.owner ?? null,
    folder: conversation.folder ?? null,
    ...(conversation.importance && { importance: conversation.importance }),
    ...(conversation.intent && { intent: conversation.intent }),
    ...waiting(messages),
  })
}

/**
 * Whose message is awaited, and since when: the client's, since our last message, or ours, since the first message of
 * the client that nobody answered.
 */
function waiting(messages: { direction: string; at: Date }[]) {
  const last = messages.at(-1)
  if (!last) throw new Error('A conversation needs at least one message.')
  const unanswered = messages.slice(messages.findLastIndex((m) => m.direction === 'outbound') + 1)
  return {
    lastMessageAt: last.at,
    waitingFor: unanswered.length > 0 ? ('us' as const) : ('client' as const),
    waitingSince: unanswered[0]?.at ?? last.at,
  }
}

const filesOf = ({ files = [] }: Message) =>
  files.map(({ name, type, content, text }) => ({
    name,
    type: type ?? 'application/octet-stream',
    content: content === undefined ? Buffer.from(text ?? '') : Buffer.from(content, 'base64'),
  }))

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000 }

/** A timestamp, or a time before now: -2d, -3h, -1d4h30m. */
function momentOf(at: string, now: Date): Date {
  if (!at.startsWith('-')) return new Date(at)
  let ms = now.getTime()
  for (const [, count, unit] of at.matchAll(/(\d+)([dhm])/g))
    ms -= Number(count) * unitMs[unit as keyof typeof unitMs]
  return new Date(ms)
}
