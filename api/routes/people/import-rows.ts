import { z } from 'zod'
import { findOperation, operationId } from '../../../db/operations/operations.ts'
import { listRows } from '../../../db/people/import-rows.ts'
import { found } from '../../http/errors.ts'
import { read } from '../../route.ts'
import { Id, next, Paging, page, readCursor, withValues } from '../../shapes/shapes.ts'

export const Errors = z.array(
  z.object({
    row: z.number().describe('The row of the file, counted from 1 and including the headings.'),
    column: z
      .string()
      .nullable()
      .describe('The heading of the column; null if the problem concerns the whole row.'),
    code: z.string().describe(
      withValues('What is wrong, as a stable code.', {
        invalid_email: 'it is not an e-mail address',
        invalid_phone: 'it is not a phone number',
        invalid_linkedin: 'it is not a profile address',
        rounded_number: 'a spreadsheet has rounded it, and its last digits are lost',
        shared_address:
          'the address stands in rows of different names, so it is nobody’s here and joins nobody',
        no_region:
          'a number has no country code, and there is no `region`; a warning, once for each column',
        too_long: 'it is too long and was left out',
        no_contact: 'the row has no address of any kind, and no id of your own',
        matches_two: 'its id and addresses lead to two different people',
        too_many_columns:
          'a hundred other columns are fields of your own already, and this one was left out; `row` is that of the headings',
        too_many_fields: 'the person has 100 fields already, and the others were left out',
      }),
    ),
    message: z.string().describe('What is wrong, in words.'),
  }),
)

const ImportedRow = z
  .object({
    row: z.number().describe('The row of the file, counted from 1.'),
    outcome: z.enum(['new', 'update', 'same', 'duplicate', 'invalid']).describe(
      withValues('What became of the row.', {
        new: 'a new person',
        update: 'a known person was changed',
        same: 'a known person stayed unchanged',
        duplicate: 'the same person as an earlier row',
        invalid: 'nothing',
      }),
    ),
    person: z
      .string()
      .nullable()
      .describe('The id of the card it led to; null if the row is invalid.'),
    joined: z
      .number()
      .nullable()
      .describe('For a duplicate, the earlier row of the file that led to the same card.'),
    errors: Errors.describe('What is wrong in it; a row that is not invalid may have errors too.'),
  })
  .meta({ id: 'ImportedRow' })

export const routes = [
  read({
    path: '/people/import/{key}/rows',
    summary: 'List the rows of an import',
    description:
      'Answers what became of each row. Rows appear in order as they are imported, and are kept as long as the operation. Beyond the first thousand problems, `errors` is empty even for refused rows.',
    scopes: ['inbox:read'],
    params: z.object({ key: Id.describe('The Idempotency-Key of the import.') }),
    query: Paging,
    response: z.object({
      rows: z.array(ImportedRow).describe('The rows, in the order of the file.'),
      next,
    }),
    async handler({ params, query }, { db, workspace }) {
      const row = await findOperation(db, operationId(workspace.id, params.key))
      const operation = found(row?.workflowType === 'importPeople' ? row : undefined, 'import')
      const [after = -1] = readCursor(query.cursor, 'number') ?? []
      const rows = await listRows(db, operation.id, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, ({ row }) => [row])
      return { rows: items.map((row) => ({ ...row, errors: row.errors ?? [] })), next }
    },
  }),
]
