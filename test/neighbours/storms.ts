import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { hangModel, insertConversations, insertPeople, refusingAccounts } from './stage.ts'
import { type Attack, call, during, type Note, type Target } from './target.ts'

// What one tenant may do, in all innocence, to what everybody shares: connections of Postgres, places of a worker, Temporal.

// Who has nothing more to ask looks this often whether the attack is over.
const overMs = 1_000
// A call that was refused for its pace comes again after this time.
const againMs = 500
// Before the moment at which everything falls due, so that it is measured from its beginning.
const aheadMs = 3_000

const sized = (n: number, size: number) => Math.max(1, Math.round(n * size))

/** Calls as often as a token may until so many were taken. */
async function untilTaken(
  of: number,
  note: Note,
  make: (n: number) => Promise<{ status: string | number }>,
) {
  let taken = 0
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (taken < of) {
        const n = taken++
        const { status } = await make(n)
        note(`prepared: ${status}`)
        if (status === 200) continue
        taken--
        await sleep(againMs)
      }
    }),
  )
}

async function imports(target: Target, note: Note) {
  const file = () => {
    const rows = Array.from(
      { length: 20_000 },
      (_, i) => `Person ${i},${randomUUID()}@import.example`,
    )
    const content = Buffer.from(['name,email', ...rows].join('\n')).toString('base64')
    return { name: 'people.csv', content }
  }
  let left = 60
  // A call waits for its import, as long as it may.
  await during(target, left, async () => {
    if (left-- <= 0) return void (await sleep(overMs))
    const { status } = await call(target, 'POST', '/people/import', { file: file(), commit: true })
    note(`import: ${status}`)
  })
}

/** Letters through accounts whose server answers after 55 seconds. */
async function slowServer(target: Target, note: Note) {
  let left = sized(1_000, target.size)
  await during(target, 4, async (n) => {
    if (left-- <= 0) return void (await sleep(overMs))
    const { account, conversation } = target.slow[n % target.slow.length] ?? {}
    const path = `/conversations/${conversation}/messages`
    const { status } = await call(target, 'POST', path, { text: `Message ${n}`, via: account })
    note(`message: ${status}`)
  })
}

/** What is made at the pace of a token, all of it due at one moment. */
const dueAtOnce =
  (
    of: number,
    aMinute: number,
    make: (target: Target, n: number, at: string) => Promise<{ status: string | number }>,
  ) =>
  async (target: Target, note: Note) => {
    const all = sized(of, target.size)
    const at = new Date(Date.now() + (all / aMinute) * 60_000 * 1.2 + 10_000)
    await untilTaken(all, note, (n) => make(target, n, at.toISOString()))
    note(`ready ${Math.round((at.getTime() - Date.now()) / 1_000)} s before the moment`)
    await sleep(Math.max(0, at.getTime() - Date.now() - aheadMs))
  }

const oneMoment = dueAtOnce(5_000, 600, (target, n, sendAt) =>
  call(
    target,
    'POST',
    `/conversations/${target.slow[n % target.slow.length]?.conversation}/messages`,
    {
      text: `Message ${n}`,
      via: target.connection,
      sendAt,
    },
  ),
)

const snoozes = dueAtOnce(10_000, 1_500, (target, n, snoozeUntil) =>
  call(target, 'PATCH', `/conversations/cnv_sleeper${n}`, { snoozeUntil }),
)

const lasts = (target: Target) => sleep(target.seconds * 1_000)

/** Drafts whose letters are agreed, to the same people through the same account. */
async function draftCampaigns(target: Target, note: Note) {
  const { text } = await call(target, 'POST', '/segments', { query: 'everyone' })
  const segment = JSON.parse(text).id
  await call(target, 'POST', `/segments/${segment}/people`, { people: target.people })
  await untilTaken(sized(120, target.size), note, async () => {
    const draft = { goal: 'Book a demo', segment, agent: target.agent }
    const made = await call(target, 'POST', '/campaigns', draft)
    if (made.status !== 200) return made
    const templates = [{ place: 1, subject: 'Hello', text: 'Hello.' }]
    const { id } = JSON.parse(made.text)
    return call(target, 'POST', `/campaigns/${id}/letters`, { templates, agree: [1] })
  })
}

/** Starts them all, with no gap between two letters. */
async function campaigns(target: Target, note: Note) {
  const { text } = await call(target, 'GET', '/campaigns')
  const drafts = JSON.parse(text).campaigns.filter(
    ({ state }: { state: string }) => state === 'draft',
  )
  await during(target, 8, async () => {
    const draft = drafts.pop()
    if (!draft) return void (await sleep(overMs))
    const { status } = await call(target, 'POST', `/campaigns/${draft.id}/state`, { to: 'running' })
    note(`start: ${status}`)
  })
}

/** Searches for what nobody is called, over as many people as there are. */
async function fruitless(target: Target, note: Note) {
  await during(target, 20, async (n) => {
    const q = encodeURIComponent(['qzx', 'xq zz', 'nobody at all', 'w'][n % 4] + String(n % 7))
    const path = [`/people?q=${q}`, `/conversations?q=${q}`, `/search?q=${q}`][n % 3] as string
    note(`${path.slice(1, 7)}: ${(await call(target, 'GET', path)).status}`)
  })
}

/** Messages through accounts whose password is wrong, and checks of them. */
async function wrongPasswords(target: Target, note: Note) {
  await during(target, 4, async (n) => {
    const account = `con_wrong${n % sized(500, target.size)}`
    const { conversation } = target.slow[n % target.slow.length] ?? {}
    const path = `/conversations/${conversation}/messages`
    const said = await call(target, 'POST', path, { text: `Message ${n}`, via: account })
    note(`message: ${said.status}`)
    const { status } = await call(target, 'POST', '/senders/health/check', { connection: account })
    note(`check: ${status}`)
  })
}

/** Tasks, segments and letters for a model that takes every question and never answers. */
async function hangingModel(target: Target, note: Note) {
  await during(target, 8, async (n) => {
    const { conversation } = target.slow[n % target.slow.length] ?? {}
    const task = await call(target, 'POST', `/conversations/${conversation}/tasks`, {
      text: 'Ask them for a date.',
    })
    note(`task: ${task.status}`)
    const segment = await call(target, 'POST', '/segments', { query: `people number ${n}` })
    note(`segment: ${segment.status}`)
  })
}

export const storms: Attack[] = [
  { name: '60 imports of 20,000 rows', run: imports },
  { name: '50 accounts at a slow server', run: slowServer },
  { name: '120 campaigns without a gap', prepare: draftCampaigns, run: campaigns },
  { name: '5,000 messages of one sendAt', prepare: oneMoment, run: lasts },
  {
    name: '10,000 snoozes to one minute',
    given: insertConversations,
    prepare: snoozes,
    run: lasts,
  },
  { name: '20 searches over 1,000,000 people', given: insertPeople, run: fruitless },
  { name: '500 wrong passwords', given: refusingAccounts, run: wrongPasswords },
  { name: 'a model that hangs', given: hangModel, run: hangingModel },
]
