import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { plainLine } from '../../rules/text.ts'
import { type Log, notice } from '../operator/progress.ts'
import { type GreenMail, type GreenMailOptions, startGreenMail } from './greenmail.ts'
import type { Message, Store } from './mail-store.ts'
import { loopback } from './ports.ts'

/**
 * Mailboxes for every recipient of the sink: the mail in its store is delivered to GreenMail in order, and all of it
 * again after a restart. So no accepted mail is ever missing, and readers meet what real servers do to them: a new
 * UIDVALIDITY, and every mail once more.
 */
export async function startMailboxes({ store, ...options }: GreenMailOptions & { store: Store }) {
  let delivery: ReturnType<typeof deliverTo> | undefined
  const server: GreenMail = await startGreenMail({ ...options, onStart: () => delivery?.again() })
  delivery = deliverTo(server.smtpPort, store, options.say)
  return {
    ...server,
    async stop() {
      const delivered = delivery?.stop()
      await server.stop()
      await delivered
    },
  }
}

// The server breaks at some mails that others accept, such as one whose Content-Type names no type. One that it has not taken so
// often while it lives would hold up all later mail for ever.
const mostTries = 5
const betweenTriesMs = 100

/**
 * Delivers what is in the store, and what comes into it, to a server on this machine. `again` begins from the start, for one that
 * has restarted. A mail that the server refuses, or cannot take, is passed over, and `say` names it.
 */
export function deliverTo(port: number, store: Store, say: Log = notice) {
  let life = 0
  let next = 0
  let stopping = false
  let wake = () => {}
  const transport = createTransport({
    host: loopback,
    port,
    secure: false,
    ignoreTLS: true,
    pool: true,
    maxConnections: 1,
    maxMessages: Number.POSITIVE_INFINITY,
    socketTimeout: 10_000,
  })
  store.onAdded(() => wake())
  const delivering = deliver()

  return {
    again() {
      life++
      next = 0
      wake()
    },
    async stop() {
      stopping = true
      wake()
      await delivering
      transport.close()
    },
  }

  async function deliver() {
    let tries = 0
    while (!stopping) {
      const added = new Promise<void>((resolve) => {
        wake = resolve
      })
      const message = store.at(next)
      if (!message) {
        await added
        continue
      }
      const then = life
      const trouble = await send(message)
      const passes = trouble?.refuses || (trouble && (await isAlive()) && ++tries >= mostTries)
      if (trouble && !passes) {
        await sleep(betweenTriesMs)
        continue
      }
      tries = 0
      // Mail that a server accepted before it died is delivered to its successor too.
      if (then !== life) continue
      next++
      if (trouble) say(`A mail is not in the mailboxes: ${nameOf(message)} (${trouble.why}).`)
    }
  }

  /** Whether the server answers at all: one that is away takes the mail when it is back. */
  function isAlive(): Promise<boolean> {
    return transport.verify().then(
      () => true,
      () => false,
    )
  }

  async function send({ id, from, to }: Message): Promise<Trouble | undefined> {
    const raw = store.file(id)
    if (!raw || to.length === 0) return undefined
    // GreenMail does not accept an empty return path (RFC 5321, 4.5.5); the file has the original one.
    const envelope = { from: from || 'mailer-daemon@localhost', to }
    return transport.sendMail({ envelope, raw }).then(
      () => undefined,
      (error: { responseCode?: number; response?: string; message: string }) => ({
        refuses: (error.responseCode ?? 0) >= 500,
        why: plainLine(error.response ?? error.message).slice(0, 200),
      }),
    )
  }
}

type Trouble = { refuses: boolean; why: string }

const nameOf = ({ id, messageId, to }: Message) => `${messageId ?? id} to ${to.join(', ')}`
