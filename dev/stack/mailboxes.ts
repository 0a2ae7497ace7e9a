import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
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
  delivery = deliverTo(server.smtpPort, store)
  return {
    ...server,
    async stop() {
      const delivered = delivery?.stop()
      await server.stop()
      await delivered
    },
  }
}

/** Delivers what is in the store, and what comes into it, to a server on this machine. `again` begins anew, for one that has restarted. */
export function deliverTo(port: number, store: Store) {
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
      const taken = await send(message)
      // Mail that a server accepted before it died is delivered to its successor too.
      if (taken && then === life) next++
      else if (!taken) await sleep(100)
    }
  }

  async function send({ id, from, to }: Message): Promise<boolean> {
    const raw = store.file(id)
    if (!raw || to.length === 0) return true
    // GreenMail does not accept an empty return path (RFC 5321, 4.5.5); the file has the original one.
    const envelope = { from: from || 'mailer-daemon@localhost', to }
    return transport.sendMail({ envelope, raw }).then(
      () => true,
      (error: { responseCode?: number }) => (error.responseCode ?? 0) >= 500,
    )
  }
}
