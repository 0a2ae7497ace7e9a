import { keyOf, readAddress, shownEmail } from '../../rules/addresses.ts'
import { addressKindOf, isChannelKind } from '../../rules/channels.ts'
import { didYouMean } from '../../rules/plain-issues.ts'
import { usualHours } from './shape.ts'

// Between the parts of a file, every id is given once, and every name refers to something that exists.

export type Path = (string | number)[]
export type Misplaced = { path: Path; message: string }

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

type Found = { path: Path; value: unknown }

/** The ids of what the workspace has already, for a description that need not name all of it. */
export type There = Partial<Record<Collection, string[]>>

/** Takes the file as written, in any shape, and skips what is missing. */
export function problemsAcross(raw: unknown, there?: There): Misplaced[] {
  const known = Object.fromEntries(
    Object.keys(collections).map((name) => [name, namesOf(raw, name as Collection)]),
  ) as Record<Collection, Set<unknown>>
  const unknown = references.flatMap(([where, to]) => {
    // What is added with its people and messages is described as a whole.
    const names = where.startsWith('conversations')
      ? known[to]
      : new Set([...known[to], ...(there?.[to] ?? [])])
    return at(raw, where)
      .filter(({ value }) => typeof value === 'string' && !names.has(value))
      .map(({ path, value }) => ({
        path,
        message: unknownId(collections[to], value, names, there ? 'workspace' : 'file'),
      }))
  })
  return [...twice(raw), ...unknown, ...mismatched(raw), ...shared(raw), ...nameless(raw)]
}

const unknownId = (what: string, value: unknown, known: Set<unknown>, where: string) => {
  const names = [...known].filter((name) => typeof name === 'string')
  return `names no ${what} of this ${where}: ${value}${didYouMean(String(value), names)}`
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
