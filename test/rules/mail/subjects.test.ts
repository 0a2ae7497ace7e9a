import { equal } from 'node:assert/strict'
import {
  bareSubject,
  isAnswer,
  isForward,
  isGeneral,
  normalSubject,
  replySubject,
} from '../../../rules/mail/subjects.ts'

describe('the subject of an answer', () => {
  const subjects: [given: string, reply: string, bare: string][] = [
    ['Boats', 'Re: Boats', 'Boats'],
    ['Re: Boats', 'Re: Boats', 'Boats'],
    ['RE:Boats', 'RE:Boats', 'Boats'],
    ['AW: Boats', 'Re: Boats', 'Boats'],
    ['回复：Boats', 'Re: Boats', 'Boats'],
    ['Fwd: Boats', 'Re: Fwd: Boats', 'Boats'],
    ['Regatta', 'Re: Regatta', 'Regatta'],
    ['R2: Boats', 'Re: R2: Boats', 'R2: Boats'],
    ['Re:', 'Re:', 'Re:'],
    ['', '', ''],
  ]
  for (const [given, reply, bare] of subjects)
    it(`“${given}” is answered with “${reply}”`, () => {
      equal(replySubject(given), reply)
      equal(bareSubject(given), bare)
    })
})

describe('a subject with the prefix of a mail program', () => {
  const answers = [
    ...[
      'Re',
      'RE ',
      're[2]',
      'Re(3)',
      'Re^2',
      'AW',
      'Aw',
      'Antw',
      'Antwort',
      'SV',
      'VS',
      'Odp',
      'RES',
    ],
    ...[
      'R',
      'Rif',
      'RIF',
      'Ref',
      'Réf',
      'Vá',
      'ATB',
      'YNT',
      'Yanıt',
      'BLS',
      'Відп',
      'Ответ',
      'ΑΠ',
      'תשובה',
    ],
    ...['رد', '回复', '回覆', '答复', '返信', '회신', 'RE: AW'],
  ]
  const forwards = [
    ...[
      'Fw',
      'FWD',
      'WG',
      'TR',
      'RV',
      'ENC',
      'I',
      'PD',
      'Doorst',
      'VB',
      'VL',
      'TRS',
      'İLT',
      '转发',
      '轉寄',
      '転送',
    ],
  ]
  for (const [prefixes, isForwarded] of [
    [answers, false],
    [forwards, true],
  ] as const)
    for (const prefix of prefixes)
      for (const colon of [':', '：'])
        it(`${prefix}${colon}`, () => {
          const subject = `${prefix}${colon} Cold  Room`
          equal(isAnswer(subject), true)
          equal(isForward(subject), isForwarded)
          equal(normalSubject(subject), 'cold room')
          equal(normalSubject(`Re: ${subject}`), 'cold room')
        })
  it('is nothing without the prefixes where they are all', () =>
    equal(normalSubject('Re: AW:'), ''))
  it('is as it was where a word only begins like one', () => {
    equal(normalSubject('Reading list'), 'reading list')
    equal(normalSubject('Rifle: cleaning'), 'rifle: cleaning')
    equal(normalSubject('Re[2]: FW: Antw:  A  b'), 'a b')
  })
})

describe('a subject by which no conversation is known', () => {
  const general = [
    ...[
      '',
      ' ',
      'Re:',
      'AW: WG:',
      '\u200b',
      '-',
      '...',
      '?',
      '(no subject)',
      'Re: no subject',
      '(kein Betreff)',
    ],
    ...[
      '(sin asunto)',
      '(sans objet)',
      '(senza oggetto)',
      '无主题',
      '件名なし',
      'Hello',
      'Hallo!',
      'Re: Hi',
      'Invoice',
    ],
    ...[
      'Your invoice',
      'RECHNUNG',
      'Factura',
      'Order',
      'Offer',
      'Question',
      'Re: Frage',
      'Update',
      'Info',
      'Termin',
    ],
    ...['Meeting request', 'Urgent!', 'Scan', '发票', '請求書', 'Счёт'],
  ]
  for (const subject of general) it(`is “${subject}”`, () => equal(isGeneral(subject), true))
  const own = [
    ...[
      'Cold room',
      'Invoice 4711',
      'Rechnung für den Kühlraum',
      'Price',
      'Order of 12 fridges',
      'Re: Cold room',
    ],
    ...['Hello from Lyon', 'Question about sensors', '发票4711', 'No subject to VAT'],
  ]
  for (const subject of own) it(`is not “${subject}”`, () => equal(isGeneral(subject), false))
})
