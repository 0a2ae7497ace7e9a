import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '../faults/stack.ts'
import type { ImapProcess } from '../support/imap-server/start-process.ts'
import { loginOf } from './mailbox-accounts.ts'
import { quantile } from './rounds.ts'

// Mail that arrives in mailboxes, and how long it takes until it stands in the inbox.

const perSecond = 10
const lookEveryMs = 100
const patienceMs = 60_000

export type Seen = { sent: number; p50: number; p99: number; missed: number; twice: number }

/** Lays mail into mailboxes chosen at random among those numbered, for so many seconds. */
export async function seeMail(
  { db }: Stack,
  imap: ImapProcess,
  { among, seconds, name }: { among: number[]; seconds: number; name: string },
): Promise<Seen> {
  const sentAt = new Map<string, number>()
  const took = new Map<string, number>()
  let isOver = false

  const rows = () =>
    db
      .selectFrom('messages')
      .select('subject')
      .where('direction', '=', 'inbound')
      .where('subject', 'like', `${name} %`)
      .execute()

  async function send() {
    const from = performance.now()
    for (let n = 0; n < seconds * perSecond; n++) {
      await sleep(Math.max(1, from + (n * 1_000) / perSecond - performance.now()))
      const login = loginOf(among[Math.floor(Math.random() * among.length)] as number)
      const subject = `${name} ${n}`
      sentAt.set(subject, performance.now())
      await imap.tell('deliver', [{ login, raw: mailOf(subject, login) }])
    }
    isOver = true
  }

  async function look() {
    let until = Number.POSITIVE_INFINITY
    while (!isOver || (took.size < sentAt.size && performance.now() < until)) {
      if (isOver && until === Number.POSITIVE_INFINITY) until = performance.now() + patienceMs
      for (const { subject } of await rows())
        if (!took.has(subject)) took.set(subject, performance.now() - (sentAt.get(subject) ?? 0))
      await sleep(lookEveryMs)
    }
  }

  await Promise.all([send(), look()])
  const found = await rows()
  const times = [...took.values()]
  return {
    sent: sentAt.size,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    missed: sentAt.size - took.size,
    twice: found.length - new Set(found.map(({ subject }) => subject)).size,
  }
}

const mailOf = (subject: string, to: string) => {
  const id = subject.replace(' ', '-')
  const head = {
    From: `Client <${id}@client.example>`,
    To: to,
    Subject: subject,
    Date: new Date().toUTCString(),
    'Message-ID': `<${id}@client.example>`,
  }
  const lines = Object.entries(head).map(([field, value]) => `${field}: ${value}`)
  return [...lines, '', 'How much is it?', ''].join('\r\n')
}
