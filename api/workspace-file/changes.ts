import { isDeepStrictEqual } from 'node:util'
import type { SecretKey } from '../../db/secrets.ts'
import { type Row, shownTables } from '../../db/workspace/administration.ts'
import { hostMeant, isPrivateHost } from '../../process/network/public-host.ts'
import { oauthProviders } from '../../rules/oauth.ts'
import { mailPorts } from '../../rules/servers/found.ts'
import type { Path } from './across.ts'
import { type Edit, editOf, passwordsOf } from './apply.ts'
import { type Rows, serverOf } from './document.ts'
import { type Item, itemsOf, memberNames } from './items.ts'
import { usualLimits, type WorkspaceDocument } from './shape.ts'

// What a document of the administration changes, and what of it is not its writer's to say. A document is not the operator's file: it
// names servers on the public internet alone, asks for TLS, and takes no secret to another place than the one it was given for.

export type Change = { path: string; from: unknown; to: unknown }
export type Refusal = { path: Path; code: string; message: string }

/** What applying a document would do, item by item. */
export function editsOf(
  document: WorkspaceDocument,
  rows: Rows,
  { secretKey, mayBePrivate }: { secretKey: SecretKey | undefined; mayBePrivate: boolean },
): Edit[] {
  const rowOf = ({ table, id }: Item) =>
    table === 'workspaces'
      ? rows.workspace
      : rows[table as keyof Omit<Rows, 'workspace'>]?.find((row) => row.id === id)
  return itemsOf(document).flatMap((item) => {
    const row = rowOf(item)
    if (item.table === 'connections')
      for (const name of ['smtp', 'imap'] as const)
        if (item.given[name])
          item.given[name] = ofCustomer(item.given[name], row?.[name], mayBePrivate)
    return editOf({ secretKey }, item, row) ?? []
  })
}

/** A server that a customer names is marked as such; one that stays keeps what is known of it. */
function ofCustomer(server: unknown, present: unknown, mayBePrivate: boolean) {
  if (isDeepStrictEqual(server, serverOf(present))) return present
  return { ...(server as object), ...(!mayBePrivate && { public: true }) }
}

const placeOf = ({ table, path }: Item, column: string): Path => {
  const name = (memberNames[column] ?? column).split('.')
  if (table === 'workspaces')
    return ['houseRules', 'billing', 'retention', 'quotas'].includes(column)
      ? name
      : ['workspace', ...name]
  return [...path.slice(0, -1), ...(column === 'connection' ? ['channel'] : name)]
}

const pointerOf = (path: Path) =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The changes of an edit, each with its place in the document; of a secret it says that it changes. */
export function changesIn(edit: Edit, secretKey: SecretKey | undefined): Change[] {
  const { item, row, names, wanted } = edit
  if (!row) {
    const to = Object.fromEntries(names.map((name) => [name, plain(wanted[name])]))
    const path = item.table === 'workspaces' ? ['workspace'] : item.path.slice(0, -1)
    return [{ path: pointerOf(path), from: null, to: { id: item.id, ...to } }]
  }
  return [
    ...names.flatMap((name) =>
      differences(placeOf(item, name), plain(row[name]), plain(wanted[name])),
    ),
    ...changedSecrets(edit, secretKey).map((path) => ({
      path: pointerOf(path),
      from: null,
      to: 'changed',
    })),
  ]
}

const secretPlaces: Record<string, (wanted: unknown) => string[]> = {
  smtp: () => ['smtp', 'password'],
  imap: () => ['imap', 'password'],
  caldav: () => ['caldav', 'password'],
  bridge: () => ['bridge', 'secret'],
  oauth: (wanted) =>
    typeof wanted === 'object' && wanted !== null && 'tokenServer' in wanted
      ? ['oauth', 'tokenServer', 'secret']
      : ['oauth', 'clientSecret'],
}

function changedSecrets({ item, row, wanted }: Edit, secretKey: SecretKey | undefined): Path[] {
  if (!secretKey || !item.passwords) return []
  const kept = passwordsOf(secretKey, item.table, item.id, row)
  return Object.entries(item.passwords)
    .filter(([name, value]) => kept[name] !== value)
    .map(([name]) => [
      ...item.path.slice(0, -1),
      ...(secretPlaces[name]?.(wanted['oauth'] ?? row?.['oauth']) ?? [name]),
    ])
}

function differences(path: Path, from: unknown, to: unknown): Change[] {
  if (isDeepStrictEqual(from, to)) return []
  if (!isObject(from) || !isObject(to))
    return [{ path: pointerOf(path), from: from ?? null, to: to ?? null }]
  const members = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...members].flatMap((name) => differences([...path, name], from[name], to[name]))
}

// As the document shows it; an address may contain a password.
const plain = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(/\/\/[^/@\s"]+@/g, '//***@')
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([name]) => name !== 'public')
            .map(([name, inner]) => [name, plain(inner)]),
        )
      : Array.isArray(value)
        ? value.map(plain)
        : value

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** What is there and what the document does not name: it stays as it is. */
export function notMentioned(document: WorkspaceDocument, rows: Rows): string[] {
  return shownTables.flatMap((table) => {
    const named = new Set((document[table] ?? []).map(({ id }) => id))
    return rows[table].filter(({ id }) => !named.has(id)).map(({ id }) => `${table}/${id}`)
  })
}

/** What edits may not do, whoever asks; and what a token of this workspace alone may not do (`isOwn`). */
export function refusalsOf(edits: Edit[], secretKey: SecretKey | undefined, isOwn: boolean) {
  return edits.flatMap((edit): Refusal[] => {
    const { item, row, names } = edit
    if (item.table === 'connections')
      return [
        ...['smtp', 'imap'].flatMap((name) => serverRefused(edit, name, secretKey)),
        ...loginRefused(edit),
        ...onlyOperator(edit, 'bridge'),
        ...(isOwn ? limitsRefused(edit) : []),
      ]
    if (item.table === 'calendars') return onlyOperator(edit, 'caldav')
    if (item.table !== 'workspaces' || !isOwn || !row) return []
    return ['billing', 'retention', 'quotas']
      .filter((name) => names.includes(name))
      .map((name) => operatorOnly([name]))
  })
}

const operatorOnly = (path: Path): Refusal => ({
  path,
  code: 'operator_only',
  message: 'is for the operator to set, in the workspace file',
})

/** What leads Postroom to hosts beyond mail servers, or takes secrets there: it stays as the operator has set it. */
function onlyOperator({ item, row, names }: Edit, name: string): Refusal[] {
  const gives = item.passwords?.[name] !== undefined
  const changes = item.given[name] !== undefined && (!row || names.includes(name))
  return gives || changes ? [operatorOnly(placeOf(item, name))] : []
}

type Server = { host: string; port: number; user?: string; tls?: unknown; secure?: boolean }
const places = ['host', 'port', 'secure', 'user', 'tls'] as const

function serverRefused(edit: Edit, name: string, secretKey: SecretKey | undefined): Refusal[] {
  const { item, row, names, wanted } = edit
  if (!names.includes(name) || !wanted[name]) return []
  const server = wanted[name] as Server
  const present = row?.[name] as Server | null | undefined
  const at = placeOf(item, name)
  const refused: Refusal[] = []
  if (server.tls === 'none')
    refused.push({ path: [...at, 'tls'], code: 'invalid_value', message: 'must not be none' })
  const isOpen = (server as { public?: boolean }).public === true
  const host = hostMeant(server.host)
  if (isOpen && host === undefined)
    refused.push({
      path: [...at, 'host'],
      code: 'invalid_value',
      message: 'must be the name of a host',
    })
  if (isOpen && host !== undefined && isPrivateHost(host))
    refused.push({
      path: [...at, 'host'],
      code: 'private_address',
      message: 'must be on the public internet',
    })
  const ports: readonly number[] = mailPorts[name as 'smtp' | 'imap']
  if (isOpen && !ports.includes(server.port))
    refused.push({
      path: [...at, 'port'],
      code: 'invalid_value',
      message: `must be ${ports.join(' or ')}`,
    })
  const moves = places.some((place) => !isDeepStrictEqual(server[place], present?.[place]))
  const kept = secretKey ? passwordsOf(secretKey, item.table, item.id, row) : {}
  if (present && moves && kept[name] !== undefined && item.passwords?.[name] === undefined)
    refused.push({
      path: [...at, 'password'],
      code: 'secret_needed',
      message: 'is needed again, because the server, its port, its TLS or its user changes',
    })
  return refused
}

/** Tokens of a provider go to the servers of the provider alone. */
function loginRefused({ item, row, names, wanted }: Edit): Refusal[] {
  const oauth = wanted['oauth'] ?? row?.['oauth'] ?? 'none'
  if (typeof oauth !== 'string')
    return names.some((name) => ['oauth', 'smtp', 'imap', 'account'].includes(name)) ||
      item.passwords?.['oauth'] !== undefined
      ? [operatorOnly(placeOf(item, 'oauth'))]
      : []
  if (oauth !== 'google' && oauth !== 'microsoft') return []
  if (!names.some((name) => ['oauth', 'smtp', 'imap'].includes(name))) return []
  return (['smtp', 'imap'] as const).flatMap((name) => {
    const { host } = (wanted[name] ?? row?.[name] ?? oauthProviders[oauth][name]) as Server
    return host === oauthProviders[oauth][name].host
      ? []
      : [
          {
            path: [...placeOf(item, name), 'host'],
            code: 'invalid_value',
            message: `must be that of the provider, ${oauthProviders[oauth][name].host}`,
          },
        ]
  })
}

/** Beyond what the operator has set, or what a new account has. */
function limitsRefused({ item, row, names, wanted }: Edit): Refusal[] {
  const kind = (wanted['kind'] ?? row?.['kind']) as keyof typeof usualLimits
  const usual = usualLimits[kind]
  const present = (row ?? usual) as Row & typeof usual
  const isBeyond = {
    limitDay: (value: number) => value > Math.max(present.limitDay, usual.limitDay),
    limitWeek: (value: number) => value > Math.max(present.limitWeek, usual.limitWeek),
    gapSeconds: (value: number) => value < Math.min(present.gapSeconds, usual.gapSeconds),
  }
  return Object.entries(isBeyond)
    .filter(([name, isIt]) => names.includes(name) && isIt(wanted[name] as number))
    .map(([name]) => operatorOnly(placeOf(item, name)))
}

/** What no account of its kind has, and passwords that cannot be stored. */
export function unstorable(file: WorkspaceDocument, hasKey: boolean) {
  const problems: { path: Path; message: string }[] = []
  file.connections?.forEach(({ kind, smtp, imap, authserv, bridge, oauth }, i) => {
    const path = ['connections', i]
    if (authserv && kind !== 'email')
      problems.push({ path, message: 'has authserv, which only email connections have' })
    if (bridge && kind === 'email')
      problems.push({
        path,
        message: 'has a bridge, which only messenger and professional_network connections have',
      })
    const hasSecret = typeof oauth === 'object' || oauth === 'google' || oauth === 'microsoft'
    if (!hasKey && (smtp?.password || imap?.password || bridge || hasSecret))
      problems.push({ path, message: keyless })
  })
  file.calendars?.forEach(({ caldav }, i) => {
    if (!hasKey && caldav.password) problems.push({ path: ['calendars', i], message: keyless })
  })
  return problems
}

const keyless = 'has a password, which cannot be stored without SECRET_KEY'

/** Variables of the operator's environment, which a document does not have. */
export function variablesIn(value: unknown, path: Path): Refusal[] {
  if (typeof value === 'string')
    return /\$\{[A-Za-z_]\w*(:-[^}]*)?\}/.test(value)
      ? [
          {
            path,
            code: 'invalid_value',
            message: 'must not name a variable: values are taken as they are',
          },
        ]
      : []
  if (Array.isArray(value)) return value.flatMap((inner, i) => variablesIn(inner, [...path, i]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => variablesIn(inner, [...path, name]))
}

export { pointerOf }
