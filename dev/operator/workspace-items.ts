import type { Oauth } from '../../db/accounts/tables.ts'
import type { Described } from '../../db/workspace/administration.ts'
import { oauthProviders } from '../../rules/oauth.ts'
import { usualHours, usualLimits } from './workspace-defaults.ts'
import type { Path } from './workspace-file.ts'
import type { WorkspaceFile } from './workspace-shape.ts'

// The file as rows: the values it gives, by column, and the defaults for a new row.

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
  ...(file.connections ?? []).map(connectionItem),
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

const workspaceItem = ({ workspace, house, billing }: WorkspaceFile): Item => {
  const { id, ...given } = workspace
  return {
    table: 'workspaces',
    noun: 'workspace',
    id,
    path: ['workspace', 'id'],
    given: plain({ ...given, houseRules: house, billing }),
    defaults: {},
  }
}

function connectionItem(
  connection: NonNullable<WorkspaceFile['connections']>[number],
  index: number,
): Item {
  const { id, kind, name, account, member, limits, authserv, bridge, oauth } = connection
  const { smtp, imap } = serversOf(connection)
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

/** The mail servers that the file gives, or those of a provider that it names by a word. */
function serversOf({ smtp, imap, oauth }: Connection): Pick<Connection, 'smtp' | 'imap'> {
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
export const productId = (file: WorkspaceFile, label: string) =>
  (
    file.products?.find(({ id }) => id === label) ??
    file.products?.find(({ name }) => name === label)
  )?.id ?? label

// As it comes back from jsonb, which has no undefined members.
const plain = <T extends Record<string, unknown>>(value: T): T => JSON.parse(JSON.stringify(value))
