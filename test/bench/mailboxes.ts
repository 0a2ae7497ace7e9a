import { setTimeout as sleep } from 'node:timers/promises'
import { procFile } from '../../dev/stack/processes.ts'
import { type Stack, startStack } from '../faults/stack.ts'
import { secretKey } from '../support/given.ts'
import type { Row } from '../support/imap-server/rows.ts'
import { type ImapProcess, startImapProcess } from '../support/imap-server/start-process.ts'
import { countRead, describeUnread, holders, loginOf, makeAccounts } from './mailbox-accounts.ts'
import { countRest, countStatements } from './mailbox-counts.ts'
import { type Seen, seeMail } from './mailbox-mail.ts'
import { costs, printCosts, usage } from './usage.ts'

// What thousands of mailboxes cost that one worker reads, and how soon their mail is seen: at rest, after the death of a worker,
// and beside mailboxes whose server is silent or refuses the login. The server is scripted, and a process of its own.

// Each handle looks twice in the first minutes, so a rest begins after them.
const sizes = {
  usual: { count: 2_000, settle: 180, rest: 240, statements: 60, mail: 60 },
  quick: { count: 100, settle: 5, rest: 20, statements: 10, mail: 5 },
}
// Logins are counted in pieces of this length.
const windowSeconds = 5

export async function mailboxes({
  quick,
  mailboxes,
}: {
  quick: boolean
  mailboxes?: number | undefined
}) {
  const size = quick ? sizes.quick : sizes.usual
  const count = mailboxes ?? size.count
  const stack = await startStack('mailboxes', { env: { SECRET_KEY: secretKey.current } })
  const imap = await startImapProcess({ profile: 'dovecot' })
  try {
    await sleep(size.settle * 1_000)
    const bareMb = memoryMb(stack)
    await connect(stack, imap, count)

    await sleep(size.settle * 1_000)
    await rest(stack, imap, { count, seconds: size.rest, statements: size.statements })
    const grownKb = ((memoryMb(stack) - bareMb) * 1_024) / count
    say('memory of the worker for a mailbox', `${grownKb.toFixed(0)} KB`, '300 KB')

    const all = Array.from({ length: count }, (_, n) => n)
    tellSeen(
      'ten mails a second',
      await seeMail(stack, imap, { among: all, seconds: size.mail, name: 'Quiet' }),
    )
    await killWorker(stack, count)
    await misbehave(imap, count)
    await sleep(size.settle * 1_000)
    const others = all.filter((n) => n % 10 > 1)
    tellSeen(
      'with 10 % silent and 10 % refusing',
      await seeMail(stack, imap, { among: others, seconds: size.mail, name: 'Beside' }),
    )
    say('read meanwhile', `${await countRead(stack)} of ${others.length}`)
  } finally {
    await stack.stop()
    await imap.stop()
  }
}

const say = (what: string, found: string, goal = '') =>
  console.log(`${what.padEnd(66)} ${found.padEnd(24)} ${goal && `goal: ${goal}`}`)
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

async function connect(stack: Stack, imap: ImapProcess, count: number) {
  const accounts = await makeAccounts(stack, imap.port, count)
  const from = performance.now()
  let fastest = 0
  let before = 0
  const watch = setInterval(async () => {
    const { logins } = await imap.tell('counts', {})
    fastest = Math.max(fastest, logins.good - before)
    before = logins.good
  }, windowSeconds * 1_000)
  await accounts.read()
  const areRead = async () => (await countRead(stack)) === count
  await until(areRead, 600, () => describeUnread(stack))
  clearInterval(watch)
  say(`${count} mailboxes connected and read`, seconds(performance.now() - from), '300 s')
  say('most logins a second', (fastest / windowSeconds).toFixed(1), '20')
}

async function rest(
  stack: Stack,
  imap: ImapProcess,
  { count, seconds, statements }: { count: number; seconds: number; statements: number },
) {
  const before = usage(process.pid)
  const from = performance.now()
  const day = await countRest(stack, imap, () => sleep(seconds * 1_000))
  const found = costs(before, usage(process.pid), (performance.now() - from) / 1_000)
  printCosts(found)
  const ours = found.filter(({ part }) => ['worker', 'API', 'Postgres', 'Temporal'].includes(part))
  const cpu = ours.reduce((sum, one) => sum + one.cpu, 0)
  say('Postroom at rest', `${cpu.toFixed(1)} % of a core`, '10 %')
  const each = (n: number) => (n / count).toFixed(0)
  const verbs = Object.entries(day.verbs).map(([verb, n]) => `${n} ${verb}`)
  say('IMAP commands for a mailbox and day', each(day.commands), '2,000')
  console.log(`  in ${seconds} s of all mailboxes: ${verbs.join(', ')}`)
  say('Temporal actions for a mailbox and day', each(day.actions), '50')
  const sent = await countStatements(stack, statements)
  say('statements for a mailbox and day', each(sent), '1,000')
}

function tellSeen(when: string, { sent, p50, p99, missed, twice }: Seen) {
  say(
    `${when}: until a mail is in the inbox`,
    `p50 ${seconds(p50)}, p99 ${seconds(p99)}`,
    'p99 5 s',
  )
  say(`${when}: missed, twice`, `${missed}, ${twice} of ${sent}`, '0, 0')
}

/** A second worker takes its share, and the first one dies. */
async function killWorker(stack: Stack, count: number) {
  const alone = await holders(stack)
  await stack.up('second')
  const from = performance.now()
  const first = async () => (await holders(stack)).filter((one) => alone.includes(one))
  await until(async () => (await first()).length <= Math.ceil(alone.length / 2), 180)
  const areRead = async () => (await countRead(stack)) === count
  const why = () => describeUnread(stack)
  await until(areRead, 300, why)
  say('a second worker reads its share', seconds(performance.now() - from))
  const dead = await first()
  await stack.down('worker')
  const killed = performance.now()
  const isFollowed = async () =>
    (await holders(stack)).every((one) => one !== null && !dead.includes(one))
  await until(async () => (await isFollowed()) && (await areRead()), 300, why)
  const read = `${seconds(performance.now() - killed)}, ${dead.length} of ${alone.length} sets`
  say('after a killed worker all are read again in', read, '60 s')
}

/** One in ten is silent from now on, and of one in ten the login is refused. */
async function misbehave(imap: ImapProcess, count: number) {
  const some = (digit: number) =>
    Array.from({ length: Math.floor(count / 10) }, (_, n) => loginOf(n * 10 + digit))
  const [silent, refused] = [some(0), some(1)]
  const verbs = ['LIST', 'SELECT', 'STATUS', 'NOOP', 'IDLE', 'FETCH']
  const rows: Row[] = [
    ...verbs.map((verb) => ({ verb, login: silent, answer: { silence: true as const } })),
    {
      verb: 'LOGIN',
      login: refused,
      answer: { no: '[AUTHENTICATIONFAILED] Authentication failed.' },
    },
  ]
  await imap.tell('rows', rows)
  for (const login of [...silent, ...refused]) await imap.tell('end', { login })
}

/** What the worker holds for itself alone, shared pages in parts. */
function memoryMb(stack: Stack): number {
  const text = procFile(stack.pid('worker') ?? 0, 'smaps_rollup')
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1]) / 1_024
}

async function until(is: () => Promise<boolean>, mostSeconds: number, why = async () => '') {
  const deadline = performance.now() + mostSeconds * 1_000
  while (!(await is())) {
    if (performance.now() > deadline) throw new Error(`Not within ${mostSeconds} s. ${await why()}`)
    await sleep(500) // A look goes through all mailboxes.
  }
}
