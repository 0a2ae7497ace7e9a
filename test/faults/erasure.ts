import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { createToken } from '../../db/workspace/tokens.ts'
import { givenTraces, searchAll, traces } from '../support/erased-person.ts'
import { givenWorkspace, secretKey } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'
import { allScopes, caller, eventually } from '../support/service.ts'
import { type FaultClient, faultClient } from './client.ts'
import { type Random, randomFrom } from './random.ts'
import type { Report } from './seed.ts'
import { type Stack, startStack } from './stack.ts'

// Somebody is erased while the processes that do it are killed: what was promised by the answer is carried out all the same.

const kills = 10
const conversations = 20
const messagesEach = 10
const points = ['before-page', 'after-page'] as const
// Beside what is known of her everywhere: of her two hundred messages, one with letters that encodings write in different ways.
const said = [...traces, 'tapir', 'grünspecht']
const patienceMs = 180_000

/** One seed, from a new stack to its end. */
export async function runErasure(seed: number): Promise<Report> {
  const from = Date.now()
  const random = randomFrom(seed)
  // The rows that the test makes have secrets that the service is to read.
  const env = { SECRET_KEY: secretKey.current }
  const stack = await startStack(`erasure-${seed}`, { env })
  const report: Report = { seed, seconds: 0, summary: '', violations: [], folder: stack.folder }
  try {
    report.summary = await erase(stack, random, report.violations)
  } catch (error) {
    const details = [error instanceof Error ? (error.stack ?? error.message) : String(error)]
    report.violations.push({ invariant: 'the run comes to its end', details })
  } finally {
    await stack.stop({ keep: report.violations.length > 0 })
  }
  report.seconds = Math.round((Date.now() - from) / 100) / 10
  return report
}

async function erase(stack: Stack, random: Random, violations: Report['violations']) {
  const violated = (invariant: string, details: string[]) => {
    if (details.length > 0) violations.push({ invariant, details })
  }
  const unless = (holds: boolean, invariant: string, is: unknown) =>
    violated(invariant, holds ? [] : [JSON.stringify(is)])
  // It is slow and refuses at first, so that what it is told is in flight all the while.
  const receiver = await startReceiver([500, 500, 500, 204], { delayMs: 200 })
  const given = await givenMuch(stack, receiver.url)
  const client = faultClient(stack.url, given.token)
  for (const trace of said) {
    const found = await searchAll(stack.db, [trace])
    unless(found.length > 0, 'the test has every trace', trace)
  }
  const funnelOf = async () => {
    const { people, sent } = (await client.read(`/campaigns/${given.campaign}`)).funnel
    return { people, sent }
  }
  const before = await funnelOf()

  const key = randomUUID()
  const call = client.change('DELETE', `/people/${given.person}`, undefined, { key })
  const within = await killAll(stack, random, given.person)
  unless(within >= kills / 2, 'the kills fall into the erasure', within)
  await call
  await eventually(
    () => client.read(`/operations/${key}`),
    ({ state }) => state === 'done',
    patienceMs,
  )
  const told = receiver.got.length
  violated('nothing of them is left in any row', await searchAll(stack.db, said))

  // What was under way may still have something to write down.
  await eventually(
    () => openDeliveries(stack, given.hook),
    (open) => open === 0,
    patienceMs,
  )
  violated('nothing of them comes back', await searchAll(stack.db, said))
  violated(
    'no webhook is told of them afterwards',
    receiver.got.slice(told).flatMap(({ text }) => {
      const found = said.filter((trace) => text.toLowerCase().includes(trace))
      return found.length > 0 ? [`${found}: ${text}`] : []
    }),
  )
  const after = await funnelOf()
  unless(JSON.stringify(after) === JSON.stringify(before), 'the counts of campaigns stand', {
    before,
    after,
  })
  const { id, erased } = await client.change('DELETE', `/people/${given.person}`, undefined, {
    key,
  })
  unless(erased === true && id === given.person, 'a repeat is answered as the first call', id)
  violated('they may write again, and are not brought back', await comesBack(client, given, stack))
  await receiver.close()
  const deaths = Object.entries(stack.deaths).map(([part, n]) => `${part} ${n}`)
  return `${within} of ${kills} kills before its end; deaths ${deaths.join(' ')}; ${told} posts before, ${receiver.got.length - told} after`
}

/** A person with traces everywhere, and two hundred messages of and about them. */
async function givenMuch(stack: Stack, hookUrl: string) {
  const { db, clock, url } = stack
  let token = ''
  const given = await givenTraces({
    db,
    clock,
    async workspace() {
      const workspace = await givenWorkspace(db, clock.now(), { smtpPort: stack.mail.smtpPort })
      const tokenWith = async (scopes: string[]) => {
        const whose = { workspace: workspace.id, member: workspace.member, client: 'tests', scopes }
        return (await createToken(db, whose)).token
      }
      token = await tokenWith(allScopes)
      return { ...workspace, token, call: caller(url, token), tokenWith }
    },
  })
  const { call, receive, email, name } = given
  const hook = await call('POST', '/webhooks', { url: hookUrl })
  if (hook.status !== 200) throw new Error(hook.text)
  for (let c = 0; c < conversations; c++) {
    const references: string[] = []
    const own = c % 2 === 0
    for (let m = 0; m < messagesEach; m++) {
      const isTheirs = own || m % 2 === 1
      const house = isTheirs ? 'quistgaard' : 'lind'
      const externalId = `<${isTheirs ? 'tapir' : 'boxes'}-${c}-${m}@${house}.example>`
      const words = [
        `Number ${c}-${m - 1} of the tapir boxes has to be painted like the Grünspecht,`,
        'and it should be here before noon on Friday, please.',
      ]
      const quoted = `Fine, ${name.toUpperCase()}.\n\nAm Montag schrieb ${name} <${email.toUpperCase()}>:\n${words.map((one) => `> ${one}`).join('\n')}\n\nBo`
      await receive({
        externalId,
        references: [...references],
        subject: `${m === 0 ? '' : 'Re: '}Boxes ${c}`,
        ...(isTheirs
          ? { text: words.join('\n').replace(`${m - 1}`, `${m}`) }
          : {
              from: { name: 'Bo Lind', address: 'bo@lind.example' },
              cc: [email.toUpperCase()],
              text: m === 0 ? 'Hello, may I add a colleague?' : quoted,
            }),
      })
      references.push(externalId)
    }
  }
  const imported = randomUUID()
  const content = Buffer.from(
    `name,email,company\n${name},${email},Tapir Works\nNew,new@lind.example,\n`,
  )
  const file = { name: 'customers.csv', content: content.toString('base64') }
  await call('POST', '/people/import', { file, commit: true }, { key: imported })
  await eventually(
    () => call('GET', `/operations/${imported}`),
    ({ body }) => body.state === 'done',
    patienceMs,
  )
  return { ...given, token, hook: hook.body.id as string }
}
type Given = Awaited<ReturnType<typeof givenMuch>>

/**
 * Kills processes until all are done; answers how many died before the end of the erasure. From the second kill on it holds the
 * erasure's row until the worker waits for it, so that each falls into a page however quick the machine is.
 */
async function killAll(stack: Stack, random: Random, person: string): Promise<number> {
  const isOver = async (db: Db) => {
    const row = await db
      .selectFrom('erasures')
      .select('sought')
      .where('person', '=', person)
      .executeTakeFirst()
    return row?.sought === null
  }
  const deathsOf = (part: string) => stack.deaths[part] ?? 0
  stack.say('kill 0: both')
  await sleep(random.integer(0, 300))
  stack.kill('api')
  stack.kill('worker')
  let within = 1
  for (let n = 1; n < kills; n++) {
    const way = random.pick(['both', 'worker', 'crash', 'crash'] as const)
    const before = deathsOf('worker')
    const isPage = await stack.db.transaction().execute(async (trx) => {
      const held = () =>
        trx.selectFrom('erasures').select('sought').where('person', '=', person).forUpdate()
      await eventually(
        () => held().executeTakeFirst(),
        (row) => row !== undefined,
        patienceMs,
      )
      if (await isOver(trx)) return false
      if (way === 'crash') stack.crashWorkerAt(random.pick(points))
      // Asking keeps the transaction from being one that stands still.
      else await eventually(() => isWaitedFor(trx), Boolean, patienceMs)
      return true
    })
    stack.say(`kill ${n}: ${way} ${isPage ? 'within' : 'after the end'}`)
    if (!isPage) break
    within++
    if (way === 'crash') {
      // One that was dead already dies once.
      const isDead = async () => deathsOf('worker') >= before + 2 || (await isOver(stack.db))
      await eventually(isDead, Boolean, 20_000).catch(() => false)
    } else {
      await sleep(random.integer(0, 10))
      if (way === 'both') stack.kill('api')
      stack.kill('worker')
    }
  }
  return within
}

/** Whether somebody waits for a row that this transaction holds. */
const isWaitedFor = async (trx: Db) => {
  const { rows } = await sql`
    select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid)) limit 1
  `.execute(trx)
  return rows.length > 0
}

const openDeliveries = async (stack: Stack, webhook: string) =>
  (
    await stack.db
      .selectFrom('deliveries')
      .select('id')
      .where('webhook', '=', webhook)
      .where('state', 'not in', ['delivered', 'failed'])
      .execute()
  ).length

async function comesBack(client: FaultClient, given: Given, stack: Stack): Promise<string[]> {
  const wrong: string[] = []
  const { email, person, receive } = given
  const key = randomUUID()
  const file = {
    name: 'again.csv',
    content: Buffer.from(`name,email\nT,${email}\n`).toString('base64'),
  }
  await client.change('POST', '/people/import', { file, commit: true }, { key })
  await eventually(
    () => client.read(`/operations/${key}`),
    ({ state }) => state === 'done',
    patienceMs,
  )
  const { rows } = await client.read(`/people/import/${key}/rows`)
  if (rows[0]?.outcome !== 'erased') wrong.push(`the import answers ${JSON.stringify(rows)}`)

  const { conversation } = await receive({ subject: 'Hello again', text: 'It is me again.' })
  const [card] = (await client.read(`/people?email=${email}`)).people
  if (!card || card.id === person) wrong.push(`their mail opens ${JSON.stringify(card)}`)
  const path = `/conversations/${conversation}/messages`
  const answer = await client.change('POST', path, { text: 'Welcome back.' })
  const isThere = () =>
    stack.mail.messages().filter((mail) => JSON.stringify(mail).includes('Welcome back.')).length
  const got = await eventually(
    async () => isThere(),
    (n) => n > 0,
    60_000,
  ).catch(() => 0)
  if (got !== 1) wrong.push(`the answer ${answer.id} arrived ${got} times`)
  return wrong
}
