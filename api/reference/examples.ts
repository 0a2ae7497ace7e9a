import { type Components, propertiesOf, resolved, type Schema } from './schemas.ts'

// Examples derived from schemas, by the format, the bounds and the name of a member, so that they are valid and read
// like a day at work. Where members exclude each other, the route gives its own example (`example` of the route). One file,
// because how a value is found, by the names of the member and of the thing, says how the table of values is written.

// The values, by the name of a member and, where that matters, by the thing it belongs to. Nothing but examples depends on them.

// Names that mean a thing, singular or plural.
const things: Record<string, string> = Object.fromEntries(
  `person people,conversation conversations,message messages,segment segments,campaign campaigns,agent agents,
  product products,member members,owner members,author members,deal deals,connection channels,defaultConnection channels,account_of channels,
  seller people,buyer people,partner people,meeting meetings,replaces segments,into people,via channels,
  calendar calendars,delivery deliveries,run runs,rule rules,notes notes,touch touches,event events,voice voices`
    .split(/,\s*/)
    .map((pair) => pair.split(' ') as [string, string]),
)

const prefixes: Record<string, string> = {
  people: 'per',
  conversations: 'cnv',
  messages: 'msg',
  segments: 'seg',
  campaigns: 'cmp',
  touches: 'tch',
  agents: 'agt',
  products: 'prd',
  companies: 'com',
  members: 'mem',
  deals: 'dea',
  labels: 'lbl',
  files: 'fil',
  notes: 'not',
  tasks: 'tsk',
  notifications: 'ntf',
  meetings: 'mtg',
  calendars: 'cal',
  channels: 'con',
  folders: 'fld',
  voices: 'voi',
  webhooks: 'whk',
  deliveries: 'dlv',
  events: 'evt',
  rules: 'rul',
  runs: 'run',
  entries: 'aud',
  workspace: 'wsp',
  client: 'cli',
  suppressions: 'sup',
}

const lists: Record<string, string> = {
  senders: 'connection',
  channels: 'connection',
  'proposals.channels': 'channel',
  guests: 'email',
  addRules: 'rule text',
  writesTo: 'email',
}
const emptyLists = new Set(['missing', 'conflicts', 'unknown', 'removedTags', 'daysOff'])
/** Members that are there in a special case. */
const unshown = new Set(['people.mergedInto', 'person.mergedInto', 'merge.mergedInto'])
const records: Record<string, unknown> = {
  reach: { email: 24, professional_network: 9, messenger: 0 },
  fields: { tier: 'gold', seats: 40 },
  filters: { jobTitle: ['kitchen managers', 'owners'], city: ['Valencia'] },
}

const samples: Record<string, unknown> = {
  name: 'Ana Ruiz',
  'segments.name': 'Kitchens',
  'proposals.name': 'Owner: new to Fridge Sensor',
  'campaigns.name': 'Cold rooms',
  'products.name': 'Fridge Sensor',
  'companies.name': 'Halden & Roe',
  'agents.name': 'Eva',
  'labels.name': 'urgent',
  'files.name': 'offer.pdf',
  'file.name': 'people.csv',
  'channels.name': "Ana's mailbox",
  'folders.name': 'Customers',
  'workspace.name': 'Halden & Roe',
  'client.name': 'CRM',
  'columns.name': 'E-Mail',
  email: 'ana@example.test',
  emails: 'ana@example.test',
  address: 'ana@example.test',
  handle: 'ana@example.test',
  account: 'sales@example.test',
  phone: '+34963941000',
  linkedin: 'https://www.linkedin.com/in/ana-ruiz',
  company: 'Casa Azahar',
  'agents.company': 'com_halden',
  city: 'Valencia',
  region: 'ES',
  externalId: 'crm-4711',
  jobTitle: 'Kitchen manager',
  zone: 'Europe/Berlin',
  timezone: 'Europe/Berlin',
  'members.zone': 'New customers in Southern Europe',
  signature: 'Ana Ruiz\nHalden & Roe',
  goal: 'Arrange a demo of ten minutes',
  'products.goal': 'demo',
  rules: 'One question a letter, at most.',
  'rule text': 'Mention the spring fair.',
  knowledge: 'The sensor needs no wiring.',
  description: 'A temperature sensor for cold rooms.',
  pitch: 'We keep cold rooms cold.',
  policy: 'No politics, no discounts.',
  key: 'price',
  'import.key': '2b9e4d70-5c1f-4f0a-8a36-7d1c0e9b5f22',
  'operations.key': '6f1d7c1e-8a54-4a0e-9d39-0d4b3a3a5a11',
  'entries.key': '6f1d7c1e-8a54-4a0e-9d39-0d4b3a3a5a11',
  value: '49 EUR',
  side: 'buyer',
  'products.side': 'sell',
  market: 'DE',
  markets: 'DE',
  subject: 'Fridge Sensor: a question',
  text: 'Two spare sensors for each kitchen are in the offer now.',
  'rules.text': 'in Bologna',
  'tasks.text': 'Ask whether the offer has arrived.',
  'notes.text': 'Called; she is back on Monday.',
  'notifications.text': 'Markus Vogel has answered.',
  title: 'Demo of the Fridge Sensor',
  'invitation.title': 'Visit of the cold rooms',
  organizer: 'kim@client.example',
  location: 'Harbour Street 4',
  by: 'kim@client.example',
  comment: 'Could we make it four?',
  answer: 'accepted',
  'calendar.day': '2026-11-24',
  agenda: 'Ten minutes, one question each.',
  to: 'ana@example.test',
  'hours.from': '09:00',
  'hours.to': '18:00',
  from: '09:00',
  start: '10:00',
  'meetings.start': '10:00',
  'meetings.day': '2026-11-24',
  day: 12,
  'chart.day': '2026-11-23',
  ends: '2026-12-18',
  since: '2026-01-01',
  minutes: 30,
  week: 60,
  weeks: 4,
  status: 200,
  kind: 'email',
  'campaigns.kind': 'outreach',
  'campaign.kind': 'outreach',
  'rules.kind': 'except',
  'labels.kind': 'conversation',
  'operations.kind': 'sendMessage',
  'notifications.kind': 'reply',
  'events.kind': 'message.received',
  channel: 'email',
  state: 'open',
  'messages.state': 'sent',
  'campaigns.state': 'running',
  'campaign.state': 'running',
  'operations.state': 'done',
  'touches.state': 'sent',
  'meetings.state': 'booked',
  'archive.state': 'running',
  direction: 'inbound',
  importance: 'normal',
  intent: 'quote',
  waitingFor: 'us',
  query: 'kitchen managers or owners',
  words: 'kitchen managers or owners in Valencia',
  why: '9 of 12 buyers have not been written to for 60 days.',
  reason: 'no_response',
  'verdict.reason': 'Matches “kitchen managers” (job title). Judged by plain word rules.',
  level: 'normal',
  code: 'no_sender',
  message: 'No connection of the workspace can send.',
  url: 'https://example.test/hooks/postroom',
  secret: 'whsec_TGV0dGVycyB0aGF0IGdvIG91dCBvbmNlLg==',
  'channels.url': 'https://post.example.test/connect/9ArLfIE2N-f2svtACry8hPqBY4SmhF_nxPKSxr03r1o',
  'channels.expiresAt': '2026-11-24T09:00:00.000Z',
  'channels.problem': 'consent_needed',
  content: 'RS1NYWlsCmFuYUBleGFtcGxlLnRlc3QK',
  field: 'email',
  sample: 'ana@example.test',
  sheet: 'Leads',
  sheets: 'Leads',
  column: 'E-Mail',
  'suppressed.column': 'Unsubscribed from all email',
  given: 'Ana Ruiz <ana@example.test>',
  read: 'ana@example.test',
  leftOut: 'a name or brackets around it',
  pointer: '/email',
  hint: 'Nobody who was judged belongs to it. The most frequent reason: lacks kitchen managers.',
  cc: 'office@example.test',
  bcc: 'archive@example.test',
  recipient: 'ana@example.test',
  said: '550 5.1.1 There is no such user.',
  again: 'msg_01m5q8y2k7cv3',
  'messages.inReplyTo': 'msg_01m5q8y2k7cv3',
  'messages.via': 'sales@example.test',
  folder: 'INBOX',
  stage: 'negotiating',
  plan: 'team',
  type: 'application/pdf',
  size: 48213,
  action: 'campaign.edited',
  resource: 'cmp_01m5q8y2k7cv3',
  operation: '6f1d7c1e-8a54-4a0e-9d39-0d4b3a3a5a11',
  next: 'q1mZk3xRWyIyMDI2LTExLTIzIl0',
  cursor: 'q1mZk3xRWyIyMDI2LTExLTIzIl0',
  workspace: 'wsp_demo',
  scope: 'inbox:read',
  label: 'prd_01m5q8y2k7cv3',
  'labels.label': 'urgent',
  'conditions.side': 'buyer',
  'members.jobTitle': 'Sales',
  'facts.label': 'founded',
  'facts.value': '2019',
  document: '',
  closed: false,
  agreed: true,
  automated: false,
  skip: true,
}

/** Where a value is in a document: the name of its member, and the things around it. */
type MemberContext = { name: string; of: string }

/** An example of a schema; `of` is the thing it shows, taken from the path: people, segments. */
export function exampleOf(schema: Schema, of: string, components: Components): unknown {
  return sampleOf(schema, { name: '', of }, components)
}

function sampleOf(given: Schema, place: MemberContext, components: Components): unknown {
  const schema = resolved(given, components)
  if ('const' in schema) return schema['const']
  const variants = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (variants)
    return sampleOf(variants.find(({ type }) => type !== 'null') ?? {}, place, components)
  const [type = 'any'] = [schema['type']].flat().filter((one) => one !== 'null')
  if (type === 'object') return objectOf(schema, place, components)
  if (type === 'array') return listOf(schema, place, components)
  const values = (schema['enum'] ?? schema['x-extensible-enum']) as unknown[] | undefined
  const said = samples[`${place.of}.${place.name}`] ?? samples[place.name]
  if (values) return values.includes(said) ? said : values[0]
  if (type === 'boolean') return !(place.name in samples) || samples[place.name] === true
  if (type === 'integer' || type === 'number') return numberOf(schema, said)
  return type === 'string' ? textOf(schema, place, said) : null
}

const spokenOf = new Set(Object.keys(samples).map((name) => name.split('.')[0]))

function objectOf(schema: Schema, { name, of }: MemberContext, components: Components) {
  // If a member is named after a thing, its value is an id of that thing.
  const about = things[name] ?? (name in prefixes || spokenOf.has(name) ? name : of)
  const members = Object.entries(propertiesOf(schema)).filter(
    ([member]) => !unshown.has(`${about}.${member}`),
  )
  if (members.length > 0)
    return Object.fromEntries(
      members.map(([member, inner]) => [
        member,
        sampleOf(inner, { name: member, of: about }, components),
      ]),
    )
  return records[name] ?? {}
}

function listOf(schema: Schema, { name, of }: MemberContext, components: Components): unknown[] {
  const items = (schema['items'] ?? {}) as Schema
  if (name === 'write' || name === 'agree') return [1, 2]
  if (name === 'waitDays') return [3, 5]
  if (emptyLists.has(name)) return []
  const one = items['type'] === 'string' && !items['format'] ? elementOf(name, of) : name
  const sample = sampleOf(items, { name: one, of }, components)
  return Array(Math.max(1, Number(schema['minItems'] ?? 1))).fill(sample)
}

const elementOf = (name: string, of: string) =>
  lists[`${of}.${name}`] ?? lists[name] ?? name.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')

function numberOf(schema: Schema, said: unknown): number {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema as Record<string, number>
  const value = typeof said === 'number' ? said : 3
  return Math.min(Math.max(value, minimum), maximum)
}

const now = '2026-11-23T09:00:00.000Z'
const later = '2026-11-24T08:30:00.000Z'
/** What a caller gives: it has to lie ahead whenever the example is tried. */
const ahead = '2030-11-26T08:30:00.000Z'

function textOf(schema: Schema, { name, of }: MemberContext, said: unknown): string {
  if (schema['format'] === 'date-time')
    return /snoozeUntil|sendAt|^due/.test(name)
      ? ahead
      : /Until$|nextAt|^until|endsAt/.test(name)
        ? later
        : now
  if (schema['format'] === 'date') return '2026-11-24'
  if (schema['format'] === 'uri') return 'https://example.test/'
  if (name === 'id') return `${prefixes[things[of] ?? of] ?? 'id'}_01m5q8y2k7cv3`
  if (typeof said === 'string') return said
  const thing = things[name] ?? name
  return prefixes[thing] ? `${prefixes[thing]}_01m5q8y2k7cv3` : name || 'text'
}
