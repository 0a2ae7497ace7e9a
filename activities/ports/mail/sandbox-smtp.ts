import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepMailsBack, type MailBack, meetLetter } from '../../../db/accounts/sandbox-letters.ts'
import type { Clock } from '../../../db/clock.ts'
import type { Db } from '../../../db/database.ts'
import type { Refused } from '../../../rules/outgoing.ts'
import { mailBack } from '../../../rules/sandbox/mails.ts'
import {
  greylisted,
  type Recipient as Played,
  recipientOf,
  type Saying,
} from '../../../rules/sandbox/recipients.ts'
import type { Mail } from './compose.ts'
import type { Handover, MailSession } from './smtp.ts'

// The mail server that accounts of a sandbox hand their letters to: it says what a server of SMTP would say, opens no connection, and
// sends nothing on. It takes a letter by keeping the mails that come back for it, in one statement. So a letter that was taken is
// answered, whatever ends before that is settled, and one that is handed over again under its Message-ID is answered once.

type Server = { db: Db; clock: Clock }
type Account = { id: string; workspace: string }

export function openSandbox(server: Server, account: Account): MailSession {
  let over = false
  const whenOver: (() => void)[] = []
  return {
    send: (mail) => take(server, account, mail),
    takesWide: true,
    clear: async () => !over,
    isOver: () => over,
    onOver: (then) => void whenOver.push(then),
    hold: () => {},
    close() {
      if (over) return
      over = true
      for (const then of whenOver) then()
    },
  }
}

type Told = { given: string; address: string; played: Played }

async function take({ db, clock }: Server, account: Account, mail: Mail): Promise<Handover> {
  const { letter, envelope } = mail
  const at = {
    workspace: account.workspace,
    connection: account.id,
    messageId: letter.messageId,
    now: clock.now(),
  }
  const told = ({ given, mailbox }: { given: string; mailbox: string }): Told => {
    const address = mailbox.toLowerCase()
    return { given, address, played: recipientOf(address) }
  }
  /** What it says against a recipient; undefined if it takes the letter for them. */
  async function against({ address, played }: Told): Promise<Saying | undefined> {
    if (played.refuses || played.defersMs === undefined) return played.refuses
    const since = await meetLetter(db, at, address)
    return at.now.getTime() < since.getTime() + played.defersMs ? greylisted : undefined
  }

  const to = told(envelope.to)
  const others = envelope.others.map(told)
  const taken: Told[] = []
  const refused: Refused[] = []
  try {
    const said = await against(to)
    if (said) return refusal(said)
    taken.push(to)
    for (const one of others) {
      const said = await against(one)
      if (said) refused.push({ address: one.given, code: said.status })
      else taken.push(one)
    }
  } catch {
    // As a line that breaks before the letter: the server was not given it.
    return { kind: 'deferred', code: null }
  }
  await sleep(Math.max(0, ...taken.map(({ played }) => played.slowMs ?? 0)), undefined, {
    ref: false,
  })
  const answered = { ...(refused.length > 0 && { refused }) }
  try {
    await keepMailsBack(
      db,
      at,
      taken.flatMap((one) => backFrom(mail, one, clock.now())),
    )
  } catch {
    // As a line that breaks after it: nobody knows whether the letter was taken.
    return { kind: 'unknown', ...answered }
  }
  return { kind: 'accepted', ...answered }
}

function backFrom({ letter }: Mail, { address, played }: Told, now: Date): MailBack[] {
  const { back, afterMs } = played
  if (!back) return []
  const at = new Date(now.getTime() + afterMs)
  const id = createHash('sha256')
    .update(`${letter.messageId} ${address}`)
    .digest('hex')
    .slice(0, 24)
  const mail = mailBack(letter, back, { recipient: address, id, now: at })
  return mail === undefined ? [] : [{ recipient: address, mail: Buffer.from(mail), at }]
}

function refusal({ code, status, words }: Saying): Handover {
  const answer = { stage: 'rcpt' as const, words: `${code} ${status} ${words}` }
  return code < 500
    ? { kind: 'deferred', code, status, answer }
    : { kind: 'refused', code, status, answer }
}
