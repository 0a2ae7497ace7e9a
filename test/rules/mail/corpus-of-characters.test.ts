import { deepEqual, ok } from 'node:assert/strict'
import { readMail } from '../../../rules/mail/read.ts'
import { markConversation } from '../../../rules/mail/wishes/marks.ts'
import { answered, programs } from '../../support/programs-of-mail.ts'
import { type SetOfCharacters, setsOfCharacters } from '../../support/sets-of-characters.ts'

// Mails in thirty-five sets of characters, under labels that are right, wrong or missing: heads and texts are read in all, and so is
// a wish, which is the writer's own or quoted.

const at = new Date('2026-11-23T09:00:00Z')
const wish = 'Please take me off your list.'

// A set of a byte a character that few use, and whose letters are others in a set that many use: no text says which one it is.
const unguessed = new Set(['iso-8859-3', 'iso-8859-4', 'iso-8859-16'])
// Their letters are letters and signs of Western languages too.
const likeWestern = new Set([
  ...['iso-8859-2', 'iso-8859-9', 'iso-8859-10', 'iso-8859-13', 'iso-8859-15', 'windows-1250'],
  ...['windows-1254', 'windows-1257', 'macintosh', 'ibm866', 'iso-8859-1', 'windows-1252'],
])

/** What every third program writes, if that can be written in it. Nobody whose program speaks Russian writes Chinese. */
const textsIn = ({ sentence, bytes, isWide }: SetOfCharacters, from: number) =>
  programs.flatMap((program, n) => {
    if (n % 3 !== from % 3) return []
    if (isWide && /\p{Script=Cyrillic}/u.test(program.above)) return []
    const isWish = n % 2 === 0
    const own = isWish ? wish : 'That suits us.'
    const quoted = isWish ? 'We have a cold room.' : wish
    const text = answered(program, `${sentence}\n${own}`, quoted).replaceAll('\n', '\r\n')
    try {
      return { text, isWish, raw: bytes(text), what: program.name }
    } catch {
      return []
    }
  })

async function misread(
  { sentence }: SetOfCharacters,
  { raw, isWish }: { raw: Buffer; isWish: boolean },
  label: string | undefined,
): Promise<string | undefined> {
  const head = [
    'From: Kim <kim@client.example>',
    ...(label === undefined ? [] : [`Content-Type: text/plain; charset=${label}`]),
    '',
    '',
  ]
  const { text } = await readMail(Buffer.concat([Buffer.from(head.join('\r\n')), raw]), at)
  const isWished = markConversation(text, 'Re: Cold room').intent === 'unsubscribe'
  return text.includes(sentence) && isWished === isWish
    ? undefined
    : `${label}: ${isWished} ${text.slice(0, 60)}`
}

describe('mails in many sets of characters', function () {
  this.timeout(120_000)
  let count = 0

  for (const [n, set] of setsOfCharacters.entries()) {
    const { label, sentence, bytes } = set
    const texts = textsIn(set, n)
    const labels = [
      label,
      label.toUpperCase(),
      ...(unguessed.has(label) ? [] : [undefined, 'us-ascii', 'utf-8', 'x-none']),
      ...(unguessed.has(label) || likeWestern.has(label) ? [] : ['iso-8859-1', 'windows-1252']),
    ]

    it(`are read in ${label}, whatever their label says`, async () => {
      const wrong: string[] = []
      ok(texts.length >= 5, `${texts.length}`)
      for (const one of texts)
        for (const said of labels) {
          count++
          const found = await misread(set, one, said)
          if (found) wrong.push(`${one.what}, ${found}`)
        }
      deepEqual(wrong, [])
    })

    it(`are read in UTF-8 that is said to be ${label}`, async () => {
      const wrong: string[] = []
      for (const one of texts) {
        count++
        const found = await misread(set, { ...one, raw: Buffer.from(one.text) }, label)
        if (found) wrong.push(`${one.what}, ${found}`)
      }
      deepEqual(wrong, [])
    })

    it(`show the name and the subject in ${label}`, async () => {
      const word = (given: Buffer) => `=?${label}?B?${given.toString('base64')}?=`
      const heads = [word(bytes(sentence)), word(Buffer.from(sentence))]
      const isBytes = bytes(sentence).some((byte) => byte > 127)
      if (isBytes) heads.push(bytes(sentence).toString('latin1'))
      for (const written of heads) {
        const head = [
          ...[`From: "${written}" <kim@client.example>`, `Subject: ${written}`],
          ...[`Content-Type: text/plain; charset=${label}`, '', ''],
        ]
        const raw = Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), bytes(sentence)])
        const { from, subject } = await readMail(raw, at)
        deepEqual([from.name, from.address, subject], [sentence, 'kim@client.example', sentence])
      }
    })
  }

  it('are two thousand and more', () => ok(count >= 2_000, `${count}`))
})
