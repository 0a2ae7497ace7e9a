import { equal } from 'node:assert/strict'
import { unflow } from '../../../rules/mail/mime/letters.ts'

describe('flowed text (RFC 3676)', () => {
  const rows: [what: string, written: string, text: string, delSp?: boolean][] = [
    ['joins lines that end with a space', 'a \r\nb\r\nc', 'a b\nc'],
    ['takes away the space where that was added', 'a \r\nb \r\nc', 'abc', true],
    ['joins within a quotation', '> a \n> b', '> a b'],
    ['ends a paragraph where the depth changes', '> a \n> b \nc', '> a b \nc'],
    ['ends one where a quotation begins', 'a \n> b', 'a \n> b'],
    ['tells depths apart', '> a \n>> b \n> c', '> a \n>> b \n> c'],
    ['takes the stuffed space away', ' From here \n  on', 'From here  on'],
    ['leaves apart what begins like a quotation and is none', ' > mine', ' > mine'],
    ['keeps the mark of a signature', 'Bye \n-- \nKim', 'Bye \n-- \nKim'],
    ['keeps that of a quoted one', '> Bye \n> -- \n> Kim', '> Bye \n> -- \n> Kim'],
    ['ends a paragraph with an empty line', 'a \n\nb', 'a \n\nb'],
    ['keeps empty lines of quotations', '> a\n>\n> b', '> a\n>\n> b'],
  ]
  for (const [what, written, text, delSp = false] of rows)
    it(what, () => equal(unflow(written, delSp), text))
})
