import { chance, pick } from './mail.ts'

/** A letter of ours that servers return and people answer. */
export type Letter = { to: string; id: string; from: string; subject: string; host: string }

const domains = ['azahar', 'nordlicht', 'vogel', 'kobalt', 'mistral', 'lantern', 'cedro', 'wisla']
const names = ['sofia', 'j.meyer', 'kim_lee', 'o-brien', 'anna.nowak', 'p+news', 'tanaka', 'r2']

export function letterOf(seed: string): Letter {
  const next = chance(seed)
  const at = (list: readonly string[]) => pick(list, Math.floor(next() * 1_000))
  const host = `${at(domains)}.example`
  const number = Math.floor(next() * 1e12).toString(36)
  return {
    to: `${at(names)}@${host}`,
    id: `<tch_${number}@halden.example>`,
    from: 'ana@halden.example',
    subject: at(['A cold room', 'Kühlraum für Ihre Küche', 'Your stand in Lyon']),
    host,
  }
}

/** The head of the letter as servers return it. */
export const headOf = ({ to, id, from, subject }: Letter): string =>
  [
    'Received: from mail.halden.example (mail.halden.example [192.0.2.7])',
    '\tby mx.relay.example with ESMTPS id 4Xy7; Mon, 23 Nov 2026 09:12:44 +0000',
    `Message-ID: ${id}`,
    'Date: Mon, 23 Nov 2026 09:12:43 +0000',
    `From: Ana Ruiz <${from}>`,
    `To: ${to}`,
    `Subject: ${/^[\x20-\x7e]*$/.test(subject) ? subject : `=?utf-8?B?${Buffer.from(subject).toString('base64')}?=`}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
  ].join('\n')

export const bodyOf = (): string =>
  'Good morning,\n\nwe build cold rooms. May I call you?\n\nAna Ruiz\n'

export const returned = (letter: Letter): string => `${headOf(letter)}\n\n${bodyOf()}`
