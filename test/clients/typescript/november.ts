import { createClient } from '../../../clients/typescript/src/index.ts'
import { fileKeys } from '../../../clients/typescript/src/node.ts'

// A job of a customer, as they would write it: it imports people, starts a campaign and writes to a hundred of them by hand. It is
// killed again and again, and knows of nothing but the names of its steps.

const {
  URL = '',
  TOKEN = '',
  KEYS = '',
  AGENT = '',
  VIA = '',
  PEOPLE = '',
  MESSAGES = '',
} = process.env
const postroom = createClient({ url: URL, token: TOKEN, keys: fileKeys(KEYS) })

const rows = Array.from(
  { length: Number(PEOPLE) },
  (_, i) => `${i},Person ${i},p${i}@november.example`,
)
const content = Buffer.from(['externalId,name,email', ...rows].join('\n')).toString('base64')
await postroom.importPeople(
  { file: { name: 'november.csv', content }, commit: true },
  { step: 'import' },
)
await postroom.wait({ step: 'import' })

let segment = await postroom.createSegment(
  { query: 'everyone', name: 'November' },
  { step: 'segment' },
)
for (let batch = 2; segment.remaining > 0; batch++)
  segment = await postroom.createSegment(
    { query: 'everyone', name: 'November', segment: segment.id },
    { step: `segment, batch ${batch}` },
  )

const { id: campaign } = await postroom.createCampaign(
  { name: 'November', goal: 'Book a demo', segment: segment.id, agent: AGENT, places: 1 },
  { step: 'campaign' },
)
await postroom.prepareLetters(campaign, { write: [1], agree: [1] }, { step: 'letters' })
await postroom.setCampaignState(campaign, { to: 'running' }, { step: 'start' })

for (let i = 0; i < Number(MESSAGES); i++)
  await postroom.openConversation(
    { person: `ext:${i}`, via: VIA, subject: `Offer ${i}`, text: 'Here is your offer.' },
    { step: `offer to ext:${i}` },
  )
console.log(campaign)
