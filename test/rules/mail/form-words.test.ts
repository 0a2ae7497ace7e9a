import { equal } from 'node:assert/strict'
import { wordsOfForm } from '../../../rules/mail/own-words.ts'

const rows: [what: string, form: string, words: string][] = [
  [
    'below a head like that of a mail',
    'From: Nadia\nSubject: Cold room\n\nMessage Body:\nHow much?\n\nNadia',
    'How much?\n\nNadia',
  ],
  ['beside the name of the field', 'Name: Nadia\nMessage: How much?', 'How much?'],
  [
    'above what the form has noted',
    'Nom : Nadia\nVotre message : Combien ?\n\n---\nIP: 192.0.2.7',
    'Combien ?',
  ],
  [
    'above what the visitor has agreed to',
    'Name: Nadia\nIhre Nachricht:\nWas kostet es?\nDatenschutz: Ich kann mich jederzeit abmelden.',
    'Was kostet es?',
  ],
  [
    'behind a field of several lines',
    'A new entry:\n\nName: Nadia\nAddress: Way 1\n1000 Town\nComments: How much?',
    'How much?',
  ],
  ['in Japanese', 'お名前：ナディア\nお問い合わせ内容：いくらですか。', 'いくらですか。'],
]

describe('what a visitor has written into a form', () => {
  for (const [what, form, words] of rows)
    it(`stands ${what}`, () => equal(wordsOfForm(form), words))

  const letters = [
    'How much is it?',
    'Message: received, thanks.\nHow much is it?',
    'Hello,\nthe message: we take it.\n\nSofia',
    'From: Ana\nSent: Monday\nSubject: Cold room\n\nHave you seen it?',
  ]
  for (const letter of letters)
    it(`is the whole of what is no form: ${letter.split('\n')[0]}`, () =>
      equal(wordsOfForm(letter), letter))
})
