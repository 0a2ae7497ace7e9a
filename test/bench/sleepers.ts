import { procFile } from '../../dev/stack/processes.ts'
import { faultClient } from '../faults/client.ts'
import { conversations } from '../faults/plan.ts'
import { workspaceFile } from '../faults/scenario.ts'
import { type Stack, startStack } from '../faults/stack.ts'
import { laySleepers } from './sleeper-rows.ts'

// What messages with a far sendAt cost while they wait: the memory of the API and the worker, and whether other messages are
// accepted and sent more slowly beside them. Two stacks are asked in turn, one with sleepers and one without.

const far = '2027-11-23T09:00:00Z'

// The cache of the worker is full by then: from there on its memory does not grow with their number. `--rows N` takes another.
const sizes = {
  usual: { count: 2_000, rounds: 6, letters: 60 },
  quick: { count: 100, rounds: 1, letters: 10 },
}
// The API accepts the first of them; the others are laid into the tables.
const mostAccepted = 500
const steps = 10

export async function sleepers({ quick, rows }: { quick: boolean; rows?: number | undefined }) {
  const { rounds, letters, ...usual } = quick ? sizes.quick : sizes.usual
  const count = rows ?? usual.count
  const accepted = Math.min(count, mostAccepted)
  const every = Math.max(1, Math.ceil((count - accepted) / steps))
  const [full, empty] = [await open('full'), await open('empty')]
  try {
    memory('no sleepers', full.stack)
    await full.post(accepted, far)
    await full.settled()
    memory(`${accepted} sleepers`, full.stack)
    for (let put = accepted; put < count; put += every) {
      const n = Math.min(every, count - put)
      const from = performance.now()
      await laySleepers(full.stack.db, full.workspace, { n, from: put })
      await full.settled()
      const rate = Math.round(n / ((performance.now() - from) / 1000))
      memory(`${put + n} sleepers, started ${rate} a second`, full.stack)
    }
    // The first letters of a process are slower than the others.
    for (const one of [empty, full]) await one.send(letters)
    const ratios = { accept: [] as number[], send: [] as number[] }
    for (let i = 0; i < rounds; i++) {
      const order = i % 2 ? [full, empty] : [empty, full]
      const took = new Map<Opened, Awaited<ReturnType<Opened['send']>>>()
      for (const one of order) took.set(one, await one.send(letters))
      const [a, b] = [took.get(full), took.get(empty)]
      if (!a || !b) continue
      ratios.accept.push(b.acceptMs / a.acceptMs)
      ratios.send.push(b.sentMs / a.sentMs)
    }
    memory('after letters, full', full.stack)
    memory('after letters, empty', empty.stack)
    for (const [name, of] of Object.entries(ratios)) {
      const sorted = of.toSorted((a, b) => a - b).map((one) => one.toFixed(2))
      const median = sorted[Math.floor(sorted.length / 2)]
      console.log(
        `${name}: rate with sleepers / without: ${median} (${sorted[0]} to ${sorted.at(-1)})`,
      )
    }
  } finally {
    await full.stack.stop()
    await empty.stack.stop()
  }
}

type Opened = Awaited<ReturnType<typeof open>>

async function open(name: string) {
  const stack = await startStack(`sleepers-${name}`)
  const token = await stack.workspace(
    workspaceFile(`wsp_${name}`, `q${name}`, stack.mail.smtpPort, 1_000_000),
  )
  const client = faultClient(stack.url, token)
  /** Posts `n` messages, ten at a time. */
  async function post(n: number, sendAt?: string) {
    let left = n
    const one = async (i: number) => {
      while (left-- > 0)
        await client.change('POST', `/conversations/cnv_${i % conversations}/messages`, {
          text: 'Hello',
          ...(sendAt && { sendAt }),
        })
    }
    await Promise.all(Array.from({ length: conversations }, (_, i) => one(i)))
  }
  return {
    stack,
    workspace: `wsp_${name}`,
    post,
    /** Until nothing is left to be started, and what was started waits. */
    async settled() {
      for (let open = 1; open > 0; ) {
        await new Promise((resolve) => setTimeout(resolve, 250))
        const { n } = await stack.db
          .selectFrom('operations')
          .select((eb) => eb.fn.countAll<string>().as('n'))
          .where('endedAt', 'is', null)
          .where('state', '!=', 'waiting')
          .executeTakeFirstOrThrow()
        open = Number(n)
      }
    },
    /** Sends `n` messages at once: how long until all were accepted, and until the mail server has all. */
    async send(n: number) {
      const before = stack.mail.messages().length
      const from = performance.now()
      await post(n)
      const acceptMs = performance.now() - from
      while (stack.mail.messages().length < before + n)
        await new Promise((resolve) => setTimeout(resolve, 10))
      return { acceptMs, sentMs: performance.now() - from }
    },
  }
}

function memory(when: string, stack: Stack) {
  const cells = (['worker', 'api', 'temporal'] as const).map((part) => {
    const text = procFile(stack.pid(part) ?? 0, 'smaps_rollup')
    const mb = (name: string) =>
      Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024)
    return `${part} ${mb('Rss')} MB resident, ${mb('Pss')} MB of its own share`
  })
  console.log(`${when}: ${cells.join('; ')}`)
}
