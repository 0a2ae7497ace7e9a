import { readFileSync } from 'node:fs'
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml'
import type { z } from 'zod'
import { keyOf, readAddress, shownEmail } from '../../rules/addresses.ts'
import { addressKindOf, isChannelKind } from '../../rules/channels.ts'
import { didYouMean, plainIssue, unknownMembers } from '../../rules/plain-issues.ts'
import { usualHours, WorkspaceFile } from './workspace-shape.ts'

// Reads the file and reports everything that is wrong with it at once, each problem with its line. One file, because what is wrong
// within a part and between parts comes in one list, in the order of the lines.

export type Problem = { line: number; message: string }

/** A problem as a line of the terminal, with its place in the form that editors and compilers use. */
export const inTerminal = ({ path, line, message }: Problem & { path: string }) =>
  `${path}${line ? `:${line}` : ''}: ${message}`

export type Path = (string | number)[]

/** A file that can be applied; `lineOf` answers the line of a value in it. */
export type ReadFile = { file: WorkspaceFile; lineOf: (path: Path) => number; problems: Problem[] }
type Refused = { file?: undefined; problems: Problem[] }

/** `env` holds the values of `${NAME}` and `${NAME:-default}`. */
export function readWorkspaceFile(path: string, env: NodeJS.ProcessEnv): ReadFile | Refused {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return { problems: [{ line: 0, message: (error as Error).message }] }
  }
  return parseWorkspaceFile(text, env)
}

export function parseWorkspaceFile(text: string, env: NodeJS.ProcessEnv): ReadFile | Refused {
  const lines = new LineCounter()
  const doc = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const problems: Problem[] = [...doc.errors, ...doc.warnings].map(({ pos, message }) => ({
    line: lines.linePos(pos[0]).line,
    message,
  }))
  if (problems.length > 0) return { problems }

  problems.push(...substitute(doc, env, (offset) => lines.linePos(offset).line))
  const lineOf = (path: Path) => lines.linePos(offsetOf(doc, path)).line
  const raw: unknown = doc.toJS() ?? {}
  const parsed = WorkspaceFile.safeParse(raw, { error: plainIssue })
  if (!parsed.success)
    problems.push(...parsed.error.issues.flatMap((issue) => problemsOf(issue, lineOf)))
  // References are checked on the text as written, so that they are reported together with everything else.
  problems.push(
    ...problemsAcross(raw).map(({ path, message }) => ({
      line: lineOf(path),
      message: say(path, message),
    })),
  )
  if (!parsed.success || problems.length > 0) return { problems: inOrder(problems) }
  return { file: parsed.data, lineOf, problems: [] }
}

const inOrder = (problems: Problem[]) => problems.sort((a, b) => a.line - b.line)

const say = (path: PropertyKey[], message: string) => {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
  return `${place.join('').replace(/^\./, '') || 'the file'} ${message}`
}

function problemsOf(issue: z.core.$ZodIssue, lineOf: (path: Path) => number): Problem[] {
  const path = issue.path as Path
  if (issue.code !== 'unrecognized_keys')
    return [{ line: lineOf(path), message: say(path, issue.message) }]
  const said = unknownMembers(issue)
  return issue.keys.map((key, i) => ({
    line: lineOf([...path, key]),
    // In this file a "member" is a person of the workspace, so the word must not stand for a property.
    message: say([...path, key], (said[i] as string).replace('not a known member', 'unknown here')),
  }))
}

/** The line of a path, or of the innermost part of it that exists. */
function offsetOf(doc: Document.Parsed, path: Path): number {
  let node: unknown = doc.contents
  let offset = doc.contents?.range?.[0] ?? 0
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(doc)
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => String(isScalar(key) ? key.value : key) === String(step),
      )
      if (!pair) break
      if (isScalar(pair.key) && pair.key.range) offset = pair.key.range[0]
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      const range = (node as { range?: [number, number, number] } | undefined)?.range
      if (!range) break
      offset = range[0]
    } else break
  }
  return offset
}

const variable = /\$?\$\{(?:([A-Za-z_]\w*)(:-([^}]*))?\}|[^}]*\}?)/g

/** Replaces variables in texts with values of `env`; `$${` is a plain `${`. An empty variable counts as not set. */
function substitute(doc: Document, env: NodeJS.ProcessEnv, lineAt: (offset: number) => number) {
  const problems: Problem[] = []
  visit(doc, {
    Scalar(key, node) {
      if (key === 'key' || typeof node.value !== 'string') return
      const line = lineAt(node.range?.[0] ?? 0)
      node.value = node.value.replace(
        variable,
        (whole, name?: string, withDefault?: string, instead?: string) => {
          if (whole.startsWith('$$')) return whole.slice(1)
          const value = name && env[name] ? env[name] : withDefault && (instead ?? '')
          if (value !== undefined) return value
          const message = name
            ? `the environment variable ${name} is not set`
            : `${whole} is neither \${NAME} nor \${NAME:-default}`
          problems.push({ line, message })
          return ''
        },
      )
    },
  })
  return problems
}

// Between the parts of a file, every id is given once, and every name refers to something that exists.

type Misplaced = { path: (string | number)[]; message: string }

const collections = {
  members: 'member',
  connections: 'connection',
  calendars: 'calendar',
  products: 'product',
  companies: 'company',
  agents: 'agent',
  folders: 'folder',
  people: 'person',
  conversations: 'conversation',
  deals: 'deal',
} as const
type Collection = keyof typeof collections

const references: [where: string, to: Collection][] = [
  ['connections.*.member', 'members'],
  ['calendars.*.member', 'members'],
  ['agents.*.company', 'companies'],
  ['agents.*.labels.*', 'products'],
  ['agents.*.channels.*', 'connections'],
  ['folders.*.channel', 'connections'],
  ['people.*.tags.*.label', 'products'],
  ['conversations.*.person', 'people'],
  ['conversations.*.connection', 'connections'],
  ['conversations.*.owner', 'members'],
  ['conversations.*.folder', 'folders'],
  ['conversations.*.messages.*.agent', 'agents'],
  ['deals.*.label', 'products'],
  ['deals.*.seller', 'people'],
  ['deals.*.buyer', 'people'],
  ['deals.*.agent', 'agents'],
]

type Found = { path: (string | number)[]; value: unknown }

/** Takes the file as written, in any shape, and skips what is missing. */
function problemsAcross(raw: unknown): Misplaced[] {
  const known = Object.fromEntries(
    Object.keys(collections).map((name) => [name, namesOf(raw, name as Collection)]),
  ) as Record<Collection, Set<unknown>>
  const unknown = references.flatMap(([where, to]) =>
    at(raw, where)
      .filter(({ value }) => typeof value === 'string' && !known[to].has(value))
      .map(({ path, value }) => ({ path, message: unknownId(collections[to], value, known[to]) })),
  )
  return [...twice(raw), ...unknown, ...mismatched(raw), ...shared(raw), ...nameless(raw)]
}

const unknownId = (what: string, value: unknown, known: Set<unknown>) => {
  const names = [...known].filter((name) => typeof name === 'string')
  return `names no ${what} of this file: ${value}${didYouMean(String(value), names)}`
}

// A product may also be named by its exact name.
const namesOf = (raw: unknown, name: Collection) =>
  new Set(
    [...at(raw, `${name}.*.id`), ...(name === 'products' ? at(raw, 'products.*.name') : [])].map(
      ({ value }) => value,
    ),
  )

function twice(raw: unknown): Misplaced[] {
  return Object.keys(collections).flatMap((name) => {
    const seen = new Set<unknown>()
    return at(raw, `${name}.*.id`).flatMap(({ path, value }) => {
      if (!seen.has(value)) return seen.add(value) && []
      return [{ path, message: `is given twice: ${value}` }]
    })
  })
}

function mismatched(raw: unknown): Misplaced[] {
  const kinds = new Map(
    at(raw, 'connections.*').map(({ value }) => [member(value, 'id'), member(value, 'kind')]),
  )
  const conversations = at(raw, 'conversations.*').flatMap(({ path, value }) => {
    const kind = member(value, 'kind')
    const own = kinds.get(member(value, 'connection'))
    if (kind === undefined || kind === null || own === undefined || kind === own) return []
    return [{ path: [...path, 'kind'], message: `is ${kind}, but its connection is ${own}` }]
  })
  const deals = at(raw, 'deals.*').flatMap(({ path, value }) => {
    const seller = member(value, 'seller')
    if (seller === undefined || seller !== member(value, 'buyer')) return []
    return [{ path: [...path, 'buyer'], message: 'must differ from the seller' }]
  })
  const accounts = at(raw, 'connections.*').flatMap(({ path, value }) => {
    const account = member(value, 'account')
    if (member(value, 'kind') !== 'email' || typeof account !== 'string') return []
    if (/^[^\s@]+@[^\s@]+$/.test(shownEmail(account))) return []
    return [{ path: [...path, 'account'], message: 'must be an e-mail address' }]
  })
  const logins = at(raw, 'connections.*').flatMap((connection) => oauthMismatched(connection))
  const hours = at(raw, 'agents.*.hours').flatMap(({ path, value }) => {
    const [from, to] = [
      member(value, 'from') ?? usualHours.from,
      member(value, 'to') ?? usualHours.to,
    ]
    // A value that is no time of day is reported by the shape.
    if (![from, to].every((time) => /^\d\d:\d\d$/.test(String(time))) || String(from) < String(to))
      return []
    return [{ path: [...path, 'to'], message: `must be later than from (${from})` }]
  })
  // Every member has a calendar in the workspace, with this id.
  const house = new Set(at(raw, 'members.*.id').map(({ value }) => `cal_${value}`))
  const calendars = at(raw, 'calendars.*.id').flatMap(({ path, value }) =>
    value === 'own' || house.has(String(value))
      ? [{ path, message: `is the id of a member's own calendar: ${value}` }]
      : [],
  )
  return [...conversations, ...deals, ...accounts, ...logins, ...hours, ...calendars]
}

/** An account that logs in with tokens has no passwords, and servers to log in to. */
function oauthMismatched({ path, value }: Found): Misplaced[] {
  const oauth = member(value, 'oauth')
  if (oauth === undefined || oauth === null || oauth === 'none') return []
  if (member(value, 'kind') !== 'email')
    return [
      { path: [...path, 'oauth'], message: 'is of no use here: only email connections log in' },
    ]
  const servers = ['smtp', 'imap'].filter((name) => isSet(member(value, name)))
  const passwords = servers.flatMap((name) =>
    isSet(member(member(value, name), 'password'))
      ? [
          {
            path: [...path, name, 'password'],
            message: 'is given beside oauth: an account logs in by one of them',
          },
        ]
      : [],
  )
  const isServed = servers.length > 0 || oauth === 'google' || oauth === 'microsoft'
  const unserved = {
    path: [...path, 'oauth'],
    message: 'needs smtp, imap or both: where to log in',
  }
  return isServed ? passwords : [...passwords, unserved]
}

const isSet = (value: unknown) => value !== undefined && value !== null && value !== ''

/** Addresses that would belong to more than one person of the file. */
function shared(raw: unknown): Misplaced[] {
  const owners = new Map<string, unknown>()
  return at(raw, 'people.*').flatMap((person) => {
    const id = member(person.value, 'id')
    return addressesOf(person).flatMap(({ path, value }) => {
      const owner = owners.get(value)
      owners.set(value, owner ?? id)
      return owner === undefined || owner === id
        ? []
        : [{ path, message: `also belongs to ${owner}` }]
    })
  })
}

/** Messages from people who have no address of that kind, and that give no sender address themselves. */
function nameless(raw: unknown): Misplaced[] {
  const kinds = new Map(
    at(raw, 'connections.*').map(({ value }) => [member(value, 'id'), member(value, 'kind')]),
  )
  const people = new Map(at(raw, 'people.*').map((person) => [member(person.value, 'id'), person]))
  return at(raw, 'conversations.*').flatMap(({ path, value }) => {
    const channel = String(kinds.get(member(value, 'connection')))
    const person = people.get(member(value, 'person'))
    if (!isChannelKind(channel) || !person) return []
    const kind = addressKindOf[channel]
    if (addressesOf(person).some((address) => address.kind === kind)) return []
    return at(value, 'messages.*').flatMap((message) => {
      const inbound = member(message.value, 'direction') === 'inbound'
      const other = member(message.value, inbound ? 'from' : 'to')
      if (other) return []
      const name = inbound ? 'from' : 'to'
      const where = [...path, ...message.path]
      return [{ path: where, message: `needs ${name}: ${member(value, 'person')} has no ${kind}` }]
    })
  })
}

function addressesOf({ path, value }: Found) {
  const members = {
    email: 'email',
    emails: 'email',
    phone: 'phone',
    phones: 'phone',
    linkedin: 'linkedin',
  } as const
  return Object.entries(members).flatMap(([name, kind]) => {
    const given = member(value, name)
    const texts = Array.isArray(given) ? given : [given]
    return texts.flatMap((text, i) => {
      const address = typeof text === 'string' ? readAddress(kind, text) : undefined
      if (!address) return []
      return [
        { path: [...path, name, ...(given === text ? [] : [i])], kind, value: keyOf(address) },
      ]
    })
  })
}

const member = (value: unknown, name: string | number): unknown =>
  value !== null && typeof value === 'object'
    ? (value as Record<string | number, unknown>)[name]
    : undefined

/** Every value at a path such as `agents.*.labels.*`. */
function at(raw: unknown, where: string): Found[] {
  let found: Found[] = [{ path: [], value: raw }]
  for (const step of where.split('.')) {
    found = found.flatMap(({ path, value }) => {
      if (step === '*')
        return Array.isArray(value)
          ? value.map((inner, i) => ({ path: [...path, i], value: inner }))
          : []
      const inner = member(value, step)
      return inner === undefined ? [] : [{ path: [...path, step], value: inner }]
    })
  }
  return found
}
