import type { Message } from '../../dev/stack/mail-store.ts'
import type { Answer, Row } from '../support/imap-server/rows.ts'
import type { ImapServer } from '../support/imap-server/server.ts'
import type { Random } from './random.ts'

// What a seed lets the servers of mailboxes do, and what comes to them meanwhile. Every lie passes, so that in the end all is read.

export const lyingProfiles = ['gmail', 'exchange', 'icloud', 'yahoo', 'dovecot', 'courier'] as const

const lies: readonly [Pick<Row, 'verb' | 'when'>, ...Pick<Row, 'verb' | 'when'>[]] = [
  { verb: 'LOGIN' },
  { verb: 'LIST' },
  { verb: 'SELECT' },
  { verb: 'STATUS' },
  { verb: 'FETCH' },
  { verb: 'FETCH', when: { item: 'BODY[]' } },
  { verb: 'SEARCH' },
  { verb: 'IDLE' },
  { verb: 'NOOP' },
]

/** Rows that lie with some probability for some seconds. */
export function liesOf(random: Random): Row[] {
  const { integer, pick } = random
  const answer = (verb: string): Answer => {
    const common: [Answer, ...Answer[]] = [
      { no: '[SERVERBUG] Internal error occurred' },
      { bad: 'Error in IMAP command' },
      { bye: 'Server shutting down.' },
      { close: true },
      { delayMs: integer(200, 3_000) },
    ]
    const own: Record<string, Answer[]> = {
      LOGIN: [{ no: '[UNAVAILABLE] Temporary failure' }, { no: '[LIMIT] Too many connections' }],
      LIST: [{ empty: true }],
      SELECT: [{ exists: 1 }, { uidNext: 1 }],
      STATUS: [{ exists: 1 }, { uidNext: 1 }],
      FETCH: [{ leaveOut: 'all' }, { leaveOut: [1] }, { cutAt: 20 }, { mails: 1, no: 'Cannot' }],
      SEARCH: [{ empty: true }],
      IDLE: [{ endIdleMs: 50 }, { exists: 1 }, { swallow: true }],
      NOOP: [{ exists: 1 }, { swallow: true }],
    }
    return pick([...common, ...(own[verb] ?? [])])
  }
  return Array.from({ length: integer(2, 5) }, () => {
    const { verb, when } = pick(lies)
    const after = integer(0, 10_000)
    const until = after + integer(1_000, 8_000)
    const probability = integer(2, 10) / 10
    return { verb, when: { ...when, after, until, probability }, answer: answer(verb) }
  })
}

/** A mail that was laid into a mailbox; `answers` is the Message-ID of the letter that it answers. */
export type Laid = { messageId: string; account: string; answers: string | null }

/** People who answer some letters, and strangers who write; each mail lies in whatever folder a rule has chosen. */
export function correspondence(server: ImapServer, random: Random, secret: string) {
  const laid: Laid[] = []
  let n = 0
  function lay(account: string, from: string, answered?: Message) {
    const messageId = `<in-${++n}-${secret}@client.example>`
    const { delimiter, prefix } = server.profile
    const junk = server.folders(account).find((name) => /junk|spam|bulk/i.test(name)) ?? 'Junk'
    const folder = random.pick(['INBOX', 'INBOX', `${prefix}Clients${delimiter}North`, junk])
    const head = [
      `From: ${from}`,
      `To: ${account}`,
      `Message-ID: ${messageId}`,
      `Subject: ${answered ? 'Re: your letter' : 'A question'} ${n}`,
      ...(answered ? [`In-Reply-To: ${answered.messageId}`] : []),
      'Date: Mon, 23 Nov 2026 10:00:00 +0000',
    ]
    server.store.put(account, Buffer.from([...head, '', `Words ${n}.`, ''].join('\r\n')), {
      folder,
    })
    laid.push({ messageId, account, answers: answered?.messageId ?? null })
  }
  return {
    laid,
    /** A person may answer the letter that they have received, or somebody else may write. */
    after(letter: Message) {
      const what = random.pick(['answer', 'stranger', 'nothing', 'nothing', 'nothing'])
      if (what === 'answer') lay(letter.from, letter.to[0] ?? '', letter)
      if (what === 'stranger') lay(letter.from, `stranger-${n + 1}@${secret}.example`)
    },
  }
}
