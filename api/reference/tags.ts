// The groups of calls, in the order of the job: who is written to, in what campaign, what comes back, and what all of it rests on.

const sentences = {
  identity: 'Whose the token is: its workspace, member, application and scopes.',
  people: 'The cards of those who are written to: read, create, import, merge and erase them.',
  segments: 'Groups of people, described in words and by rules, whom campaigns write to.',
  campaigns:
    'Letters to a segment in up to three places: write, agree, start, and follow each one.',
  conversations:
    'The inbox: what was written with a person, with its owner, labels, notes and tasks.',
  messages: 'Single messages: what became of them, their files, and what is done when one fails.',
  files: 'Files that go out with messages and come in with them.',
  search: 'One search over messages, people and notes.',
  events: 'Everything that happens, in order, to be read from a cursor or as a stream.',
  webhooks: 'Addresses of yours that events are sent to, signed.',
  // A group of their own: generators that make a class for each would have two of one name (openapi-generator, issue 20346).
  'webhook-events': 'What a webhook is sent, one request for each kind of event.',
  operations: 'What became of a call: each change has an operation, by its `Idempotency-Key`.',
  calendar: 'Meetings with guests: book, move and cancel them, and answer invitations.',
  deals: 'Who buys and who sells a product, and how far that is.',
  suppressions: 'Addresses that must not be written to, and why.',
  dashboard: 'Numbers for a first page: what came and went, day by day.',
  notifications: 'What the member of the token should know of.',
  labels: 'The labels of conversations and the products of people.',
  routing: 'Rules by which new conversations get an owner.',
  agents: 'Who writes letters and answers: goal, rules, knowledge and hours of each.',
  products: 'What the workspace sells or buys, with its conditions.',
  companies: 'In whose name agents write, with the facts they may use.',
  house: 'The rules that hold for all agents.',
  members: 'The people who work in the workspace.',
  channels: 'The accounts that letters go through and answers come from.',
  senders: 'The health of the sending accounts, and the voices that letters are written in.',
  archive: 'Reading the mail of the past, once.',
  workspace: 'The settings of the workspace.',
  billing: 'The subscription, as the operator has recorded it.',
  audit: 'Who has changed what, and when.',
  workspaces: 'The workspaces of your customers, as documents.',
  connections: 'Mailboxes and other accounts of a workspace.',
  links: 'Links with which owners connect their mailboxes themselves.',
  tokens: 'Tokens with which applications call on behalf of members.',
} satisfies Record<string, string>

const order = Object.keys(sentences)

/** The groups of these names, each with its sentence. @throws Error when a new one has none. */
export function tagsOf(names: Iterable<string>) {
  const wanted = new Set(names)
  const missing = [...wanted].filter((name) => !order.includes(name))
  if (missing.length > 0) throw new Error(`No sentence in tags.ts: ${missing.join(', ')}`)
  return Object.entries(sentences)
    .filter(([name]) => wanted.has(name))
    .map(([name, description]) => ({ name, description }))
}
