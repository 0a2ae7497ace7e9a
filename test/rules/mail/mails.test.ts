import { deepEqual, equal, ok } from 'node:assert/strict'
import { readMail } from '../../../rules/mail/read.ts'
import type { ReceivedMail } from '../../../rules/mail/received.ts'
import { filesOf, foldersOfMail, mailIn, verdictsOf } from '../../support/mails.ts'
import { escaped } from '../../support/tsv.ts'

// What the service reads from each mail in test/mails. The columns of a table say what is asserted of its mails.

const at = new Date('2026-11-23T09:30:00Z')

/** How a table writes it: `-` is none, and members of a list stand between commas. */
const cell = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(cell).join(', ') || '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === null || value === undefined || value === '' ? '-' : String(value)
}

const columns: Record<string, (mail: ReceivedMail) => unknown> = {
  automated: ({ automated }) => automated,
  weak: ({ weak }) => weak,
  suspect: ({ suspect }) => suspect,
  from: ({ from }) => from.address,
  subject: ({ subject }) => subject,
  text: ({ text }) => text,
  messageId: ({ messageId }) => messageId,
  references: ({ references }) => references,
  files: ({ files }) => files.map(({ name }) => name),
  // A report: of a letter of ours, by a server, a provider or a program.
  kind: ({ report }) => report?.kind,
  code: ({ report }) => report?.code,
  permanent: ({ report }) => report?.permanent,
  recipients: ({ report }) => report?.recipients,
  refersTo: ({ report }) => report?.refersTo,
  unclear: ({ report }) => report?.unclear,
  others: ({ report }) =>
    report?.others?.map(
      (other) => `${cell(other.code)} ${cell(other.permanent)} ${other.recipients.join(' ')}`,
    ),
  // An absence, and until when.
  away: ({ autoReply }) => autoReply?.outOfOffice,
  until: ({ autoReply }) => autoReply?.until,
  calendar: ({ calendarReplies }) =>
    calendarReplies.map(({ address, answer }) => `${address} ${answer}`),
  authentication: ({ authentication }) =>
    authentication.map(({ id, dmarc }) => `${id} ${cell(dmarc)}`),
}

/** The cells of a mail in the columns of a table, those without a rule left out. */
async function judge(
  folder: string,
  file: string,
  names: string[],
): Promise<Record<string, string>> {
  const mail = await readMail(mailIn(folder, file), at)
  return Object.fromEntries(
    names.flatMap((name) => (columns[name] ? [[name, cell(columns[name](mail))]] : [])),
  )
}

for (const folder of foldersOfMail()) {
  const { title, names, rows } = verdictsOf(folder)
  const asserted = names.slice(1, -1)

  describe(title, () => {
    for (const { file = '', what, ...wanted } of rows)
      it(`${what}`, async () => {
        deepEqual(await judge(folder, file, asserted), wanted, `test/mails/${folder}/${file}`)
      })
  })

  describe(`the table of mails in test/mails/${folder}`, () => {
    it('begins with the file, ends with what it shows, and asserts only what is known', () => {
      deepEqual([names[0], names.at(-1)], ['file', 'what'])
      deepEqual(
        asserted.filter((name) => !columns[name]),
        [],
      )
    })

    it('has one row for each file, and one file for each row', async () => {
      const listed = rows.map(({ file }) => file)
      const files = filesOf(folder)
      // What a mail without a row lacks, to be checked and copied.
      const lacking = await Promise.all(
        files
          .filter((file) => !listed.includes(file))
          .map(async (file) =>
            [file, ...Object.values(await judge(folder, file, asserted)).map(escaped), '?'].join(
              '\t',
            ),
          ),
      )
      equal(lacking.join('\n'), '')
      deepEqual(listed.toSorted(), files.toSorted())
    })
  })
}

describe('the mails of the tests', () => {
  const named = (folder: string) =>
    new Set(verdictsOf(folder).rows.map(({ what }) => what?.split(/[:,]/)[0])).size

  it('are at least 400 bounces of at least 40 servers, and 400 answers of at least 40 programs', () => {
    ok(filesOf('bounces').length >= 400)
    ok(named('bounces') >= 40, `${named('bounces')} servers`)
    ok(filesOf('replies').length >= 400)
    ok(named('replies') >= 40, `${named('replies')} programs`)
  })

  it('are at least 120 complaints and automatic replies', () => {
    ok(filesOf('complaints').length + filesOf('auto-replies').length >= 120)
  })
})
