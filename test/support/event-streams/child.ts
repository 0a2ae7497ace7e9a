import { createHash, type Hash } from 'node:crypto'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

// Many clients of the stream of events in a process of their own, each as EventSource is one: it comes back with the id of the last event
// that it has had. None keeps what it has had, so that thousands of events cost nothing.

export type Opening = { url: string; tokens: string[] }
export type Seen = {
  /** How often it was answered, by status. */
  answers: Record<string, number>
  /** Whether it is open at the moment and has been told where it begins. */
  isOpen: boolean
  events: number
  /** Of the resources of all events in the order in which they came. */
  digest: string
}

type Client = Omit<Seen, 'digest'> & { hash: Hash; last: string }

const backMs = 50
const clients: Client[] = []
const agent = new Agent({ keepAlive: false })

process.on('message', (message: Opening | 'look') => {
  if (message === 'look') process.send?.(clients.map(seen))
  else for (const token of message.tokens) void run(message.url, token)
})
process.on('disconnect', () => process.exit(0))

const seen = ({ answers, isOpen, events, hash }: Client): Seen => ({
  ...{ answers, isOpen, events },
  digest: hash.copy().digest('hex'),
})

async function run(url: string, token: string) {
  const client = { answers: {}, isOpen: false, events: 0, hash: createHash('sha256'), last: '' }
  clients.push(client)
  for (;;) {
    await once(client, url, token)
    client.isOpen = false
    await sleep(backMs)
  }
}

/** One connection, until it ends, however it does. */
const once = (client: Client, url: string, token: string) =>
  new Promise<void>((resolve) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(client.last && { 'last-event-id': client.last }),
    }
    const request = get(`${url}/api/v1/events/stream`, { agent, headers }, (response) => {
      const status = response.statusCode ?? 0
      client.answers[status] = (client.answers[status] ?? 0) + 1
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        // What is cut off by the end of a connection was not had.
        const blocks = (rest + piece).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) take(client, block)
      })
      response.once('close', resolve)
      response.on('error', () => {})
    })
    request.once('error', () => resolve())
  })

function take(client: Client, block: string) {
  const id = /^id: (.*)$/m.exec(block)?.[1]
  if (id) client.last = id
  client.isOpen = true
  const data = /^data: (.*)$/m.exec(block)?.[1]
  if (data === undefined) return
  client.events++
  client.hash.update(`${JSON.parse(data).resource}\n`)
}
