import type { BounceFamily, Case } from './bounce-family.ts'
import { gateways } from './bounces-gateways.ts'
import { inWords } from './bounces-in-words.ts'
import { providers } from './bounces-providers.ts'
import { unix } from './bounces-unix.ts'
import { windows } from './bounces-windows.ts'
import { headOf, type Letter, letterOf, returned } from './letters.ts'
import { encodedWord, mailOf, multipart, partOf, pick } from './mail.ts'
import { reasons } from './reasons.ts'

export const bounceFamilies: BounceFamily[] = [
  ...unix,
  ...windows,
  ...providers,
  ...gateways,
  ...inWords,
]

export type BounceSample = {
  name: string
  raw: Buffer
  code: string
  permanent: boolean
  letter: Letter
  /** Whether it says which letter it is about. */
  isNamed: boolean
}

const each = 8

/** Bounces of every family: for each reason, whole and cut, in several charsets and encodings, flat and nested. */
export const bounces = (): BounceSample[] =>
  bounceFamilies.flatMap((family) =>
    Array.from({ length: Math.max(each, family.reasons.length) }, (_, n) => bounceOf(family, n)),
  )

function bounceOf(family: BounceFamily, n: number): BounceSample {
  const letter = letterOf(`${family.name} ${n}`)
  const reason = reasons[pick(family.reasons, n)]
  const answer = `${reason.reply} ${reason.code} ${reason.says}`
  // A server may cut the head off right behind the Message-ID.
  const head = headOf(letter)
  const tail = pick([returned(letter), head, head.slice(0, head.indexOf('Date:'))], n)
  const given = { letter, reason, answer, tail }
  return {
    name: `${family.name}, ${reason.name}, ${n}`,
    raw: mailOf(headers(family, letter, n), bodyOf(family, given, n)),
    code: family.codes?.[reason.name] ?? reason.code,
    permanent: reason.permanent,
    letter,
    isNamed: !family.noLetter,
  }
}

const headers = ({ from, subject, name }: BounceFamily, letter: Letter, n: number): string[] => [
  // Mailboxes keep the empty sender, or do not.
  pick(['Return-Path: <>', '', 'Return-Path: <MAILER-DAEMON>', ''], n),
  `From: ${from}`,
  `To: ${letter.from}`,
  `Subject: ${encodedWord(subject)}`,
  `Date: Mon, 23 Nov 2026 09:1${n % 10}:50 +0000`,
  `Message-ID: <report-${n}-${name.replaceAll(/\W/g, '')}@relay.example>`,
  pick(['Auto-Submitted: auto-replied', '', 'Auto-Submitted: auto-generated', ''], n),
]

function bodyOf(family: BounceFamily, given: Case, n: number): Buffer {
  const text = textPart(family, family.says(given), n)
  const footer = partOf({
    type: 'text/plain',
    charset: 'us-ascii',
    text: 'Checked by a gateway.\n',
  })
  const isNested = n % 4 === 3
  if (!family.status) return isNested ? multipart('mixed', [text, footer], 'out') : text
  const status = partOf({ type: 'message/delivery-status', text: family.status(given) })
  const original =
    n % 2 === 0
      ? partOf({ type: 'message/rfc822', text: given.tail })
      : partOf({ type: 'text/rfc822-headers', text: given.tail })
  const kind = family.loose ? 'mixed' : 'report; report-type=delivery-status'
  const report = multipart(kind, [text, status, original], 'in')
  return isNested ? multipart('mixed', [report, footer], 'out') : report
}

function textPart({ latin, japanese }: BounceFamily, text: string, n: number): Buffer {
  const encoding = pick(['quoted-printable', 'base64'], n)
  const part = { type: 'text/plain', text }
  if (japanese) return partOf({ ...part, charset: 'utf-8', encoding })
  if (latin) return partOf({ ...part, charset: pick(['utf-8', 'iso-8859-1'], n), encoding })
  return partOf({ ...part, charset: 'utf-8', ...(n % 3 !== 0 && { encoding }) })
}
