import { equal } from 'node:assert/strict'
import { markConversation } from '../../../rules/mail/wishes/marks.ts'
import { rowsIn } from '../../support/tsv.ts'

const intentOf = (text: string, subject = 'Re: Hello') => markConversation(text, subject).intent

const tableOf = (name: string) => new URL(name, import.meta.url)

describe('what a reply asks for', () => {
  const answers = rowsIn(tableOf('wishes.tsv'), 'language', 'wish', 'sentence')
  const wishes = ['unsubscribe', 'not_interested', 'interested']
  const titleOf = ({ language, wish }: (typeof answers)[number]) =>
    wish === 'none'
      ? `is nothing of the kind if only its words are there, in ${language}`
      : `is known as ${wish} in ${language}`
  for (const [title, rows] of Map.groupBy(answers, titleOf))
    it(title, () => {
      for (const { sentence, wish } of rows) {
        const intent = intentOf(sentence) ?? ''
        equal(wishes.includes(intent) ? intent : 'none', wish, sentence)
      }
    })

  const said = rowsIn(tableOf('answers.tsv'), 'intent', 'subject', 'text', 'what')
  for (const [what, rows] of Map.groupBy(said, (row) => row.what))
    it(what, () => {
      for (const { text, subject, intent } of rows) equal(intentOf(text, subject), intent, text)
    })
})
