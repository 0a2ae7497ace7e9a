import { z } from 'zod'
import { findOperation, operationId } from '../../../db/operations/operations.ts'
import { listRows } from '../../../db/people/import-rows.ts'
import { insertImport, presentImport } from '../../../db/people/imports.ts'
import { isRegion } from '../../../rules/addresses.ts'
import { fieldNamePattern, isFieldName } from '../../../rules/own-fields.ts'
import { knownFields, nameOfOwn, type OwnField } from '../../../rules/people-file/headings.ts'
import { inTurn } from '../../http/call-limits.ts'
import { ApiError, found, type Problem } from '../../http/errors.ts'
import { withinQuotas } from '../../http/quotas.ts'
import { awaited, change, read } from '../../route.ts'
import { Base64 } from '../../shapes/file.ts'
import {
  Id,
  next,
  optional,
  Paging,
  page,
  readCursor,
  text,
  withValues,
} from '../../shapes/shapes.ts'
import { checkColumns, planImport } from './plan.ts'

// Importing people from a file: its plan, the import and what became of each row. One file, because these three answers are made
// of the same shapes; what a plan finds out stands in plan.ts.

const Errors = z.array(
  z
    .object({
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
          erased: 'the person was erased, and is not brought back',
          no_rows: 'the file has nobody below this row, that of its headings',
          too_many_columns:
            'a hundred other columns are fields of your own already, and this one was left out; `row` is that of the headings',
          too_many_fields: 'the person has 100 fields already, and the others were left out',
        }),
      ),
      message: z.string().describe('What is wrong, in words.'),
    })
    .meta({ id: 'RowProblem' }),
)

const ImportedRow = z
  .object({
    row: z.number().describe('The row of the file, counted from 1.'),
    outcome: z.enum(['new', 'update', 'same', 'duplicate', 'invalid', 'erased']).describe(
      withValues('What became of the row.', {
        new: 'a new person',
        update: 'a known person was changed',
        same: 'a known person stayed unchanged',
        duplicate: 'the same person as an earlier row',
        invalid: 'nothing',
        erased: 'nothing, because the person was erased',
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

/** The interface's 3 MB are those of the file itself, before base64 makes it a third longer. */
const largestFile = 3 * 1024 * 1024

const FieldOfOwn = z
  .custom<OwnField>((field) => {
    const name = typeof field === 'string' ? nameOfOwn(field as OwnField) : undefined
    return name !== undefined && isFieldName(name)
  })
  .meta({ type: 'string', pattern: fieldNamePattern('fields.') })
const Field = z.union([z.enum(knownFields), FieldOfOwn], {
  error: ({ input }) =>
    input === undefined
      ? 'is missing: say what the column holds, or null to leave it out'
      : 'must be a member of a person, or fields.NAME',
})
const holds: Record<(typeof knownFields)[number] | 'fields.NAME', string> = {
  name: 'the whole name',
  firstName: 'the first name',
  lastName: 'the last name',
  email: 'e-mail addresses',
  phone: 'phone numbers',
  linkedin: 'the profile address',
  company: 'the company',
  city: 'the city',
  jobTitle: 'the job title',
  externalId: 'the id that your own system gives the person',
  unsubscribed:
    'that the person wants no letters: anything but a no in it, such as a yes, a day or a reason, suppresses them as `unsubscribe`',
  bounced:
    'that mail came back: anything but a no suppresses the first address of the row as `bounce`',
  complained:
    'that a letter was reported as spam: anything but a no suppresses the person as `complaint`',
  consent: 'whether the person may be written to: a no suppresses them as `unsubscribe`',
  mailStatus:
    'a word such as `unsubscribed`, `cleaned`, `bounced` or `spam`, which suppresses; others change nothing',
  'fields.NAME': 'a field of your own',
}
const Import = z
  .strictObject({
    file: z
      .looseObject({
        name: text(255).describe(
          'The name of the file; the kind of file is determined by the content alone.',
        ),
        content: Base64.describe(
          'The content in base64: CSV, XLSX or visiting cards (vCard), at most 3 MB before it is encoded.',
        ),
      })
      .meta({ id: 'PeopleFile' })
      .describe('The file with the people.'),
    columns: optional(
      z
        .array(
          z
            .looseObject({
              name: z.string().max(255).describe('The heading of the column in the file.'),
              field: Field.nullable().describe(
                withValues('What the column holds; null leaves it out.', holds),
              ),
            })
            .meta({ id: 'ColumnChoice' }),
        )
        .max(1000),
    ).describe(
      'Corrections of the recognised columns, as the plan shows them; those not named stay as recognised.',
    ),
    commit: optional(z.boolean()).describe(
      'True writes the people; otherwise the answer is a plan, and nothing is written.',
    ),
    region: optional(
      z
        .string()
        .max(10)
        .overwrite((code) => code.toUpperCase())
        .refine(isRegion, { message: 'must be the two letters of a country, such as DE' }),
    ).describe(
      'The country of phone numbers without a country code, as two letters (ISO 3166); by default that of the workspace, if it has one.',
    ),
    headings: optional(z.int().min(0).max(1_000_000)).describe(
      'The row of the headings, counted from 1, if it is not the one that the plan names; 0 if the file has none.',
    ),
    sheet: optional(text(255)).describe(
      'The name of the sheet to read, of those in `sheets` of the plan; by default the one that looks most like people.',
    ),
    mode: optional(z.enum(['complete', 'update'])).describe(
      withValues('How values of the file change a known person; empty cells change nothing.', {
        complete: 'they fill only what is empty; this is the default',
        update: 'they also replace what is there',
      }),
    ),
  })
  .meta({ id: 'PeopleImport' })

const Rows = z
  .object({
    total: z.number().describe('Rows of the file, without the headings.'),
    new: z.number().describe('Rows that create a new person.'),
    update: z.number().describe('Rows that complete a known person.'),
    same: z.number().describe('Rows without anything new about a known person.'),
    duplicate: z.number().describe('Rows that repeat a person of an earlier row.'),
    invalid: z
      .number()
      .describe(
        'Rows that were left out, because they have no usable address or match two people.',
      ),
    erased: z
      .number()
      .optional()
      .describe(
        'Rows that were left out, because the person was erased; absent if there are none.',
      ),
  })
  .meta({ id: 'ImportCounts' })
const Suppressions = z
  .object({
    unsubscribe: z.number().describe('People who want no letters.'),
    bounce: z.number().describe('Addresses from which mail came back.'),
    complaint: z.number().describe('People who have reported a letter as spam.'),
  })
  .meta({ id: 'SuppressionCounts' })
  .describe('In how many rows the file says that nobody may write to the person, by reason.')
const Plan = z
  .object({
    columns: z
      .array(
        z
          .object({
            name: z.string().describe('The heading of the column.'),
            field: Field.nullable().describe(
              withValues('What the column was recognised as; null if it is left out.', holds),
            ),
            sample: z.string().describe('A value of the column from one of the first rows.'),
          })
          .meta({ id: 'ImportColumn' }),
      )
      .describe('The columns of the file, in order.'),
    headings: z
      .number()
      .nullable()
      .describe(
        'The row in which the headings were found, counted from 1; what stands above it is left out. Null if there are none.',
      ),
    sheet: z
      .string()
      .nullable()
      .describe('The sheet that is read; null if the file has no sheets.'),
    sheets: z.array(z.string()).describe('The sheets of a workbook, in order.'),
    rows: Rows.describe('The number of rows with each outcome.'),
    errors: Errors.describe('What is wrong in the file, row by row.'),
    warnings: Errors.describe('What may be meant otherwise, once for each column.'),
    suppressions: Suppressions,
    suppressed: z
      .array(
        z
          .object({
            row: z.number().describe('The row of the file.'),
            reason: z.enum(['unsubscribe', 'bounce', 'complaint']).describe(
              withValues('The reason of the suppression, as at `GET /suppressions`.', {
                unsubscribe: 'the person wants no letters',
                bounce: 'mail to the address came back',
                complaint: 'the person has reported a letter as spam',
              }),
            ),
            column: z.string().describe('The heading of the column that says it.'),
            address: z.string().nullable().describe('The first e-mail address of the row, if any.'),
            person: z
              .string()
              .nullable()
              .describe('The id of the card; null if the import would create it.'),
          })
          .meta({ id: 'SuppressedRow' }),
      )
      .describe(
        'The first thousand of these rows. Importing suppresses them before any letter goes.',
      ),
    cleaned: z
      .array(
        z
          .object({
            row: z.number().describe('The row of the file.'),
            column: z.string().describe('The heading of the column.'),
            given: z.string().describe('What stands in the cell, up to 200 characters.'),
            read: z.string().describe('The address that was read.'),
            leftOut: z.string().describe('What is no part of the address, in words.'),
          })
          .meta({ id: 'CleanedCell' }),
      )
      .describe('The first hundred addresses that are not read as they stand in the file.'),
    duplicates: z
      .array(
        z
          .object({
            row: z.number().describe('The row of the file.'),
            joined: z
              .number()
              .describe('The earlier row of the file that is about the same person.'),
            person: z
              .string()
              .nullable()
              .describe(
                'The id of the card that both lead to; null if the import would create it.',
              ),
          })
          .meta({ id: 'DuplicateRow' }),
      )
      .describe('The first thousand rows that are about the same person as an earlier row.'),
    sample: z
      .array(
        z
          .object({
            row: z
              .number()
              .describe('The row of the file, counted from 1 and including the headings.'),
            outcome: z
              .enum(['new', 'update', 'same', 'duplicate', 'matches_two', 'erased'])
              .describe(
                withValues('What would become of the row.', {
                  new: 'a new person',
                  update: 'a known person is completed or changed',
                  same: 'a known person stays as they are',
                  duplicate: 'the same person as an earlier row',
                  matches_two: 'left out, because its addresses lead to two different people',
                  erased: 'left out, because the person was erased',
                }),
              ),
            person: z
              .string()
              .nullable()
              .describe('The id of the card that the row leads to; null if there is none yet.'),
            joined: z
              .number()
              .nullable()
              .describe(
                'For a duplicate, the earlier row of the file that is about the same person.',
              ),
            name: z.string().describe('The name that was read.'),
            email: z.string().describe('The e-mail address that was read.'),
            phone: z.string().describe('The phone number that was read.'),
            linkedin: z.string().describe('The profile address that was read.'),
            company: z.string().describe('The company that was read.'),
            city: z.string().describe('The city that was read.'),
            jobTitle: z.string().describe('The job title that was read.'),
            externalId: z.string().nullable().describe('The id of your own that was read.'),
            fields: z
              .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
              .describe('The fields of your own that were read.'),
          })
          .meta({ id: 'SampleRow' }),
      )
      .describe('What would become of the first people of the file.'),
  })
  .meta({ id: 'ImportPlan' })
const Committed = z
  .object({
    operation: z
      .string()
      .describe('The key with which `GET /operations/{key}` shows the progress of the import.'),
    state: z.string().describe('Its state, as that of an operation, such as `running` or `done`.'),
    rows: Rows.describe('The number of rows with each outcome so far.'),
    suppressions: Suppressions,
    errors: Errors.describe('What was wrong in the file, row by row.'),
  })
  .meta({ id: 'ImportResult' })

export const routes = [
  read({
    path: '/people/import/{key}/rows',
    operationId: 'listImportedRows',
    summary: 'List the rows of an import',
    description:
      'Answers what became of each row. Rows appear in order as they are imported, and are kept as long as the operation. Beyond the first thousand problems, `errors` is empty even for refused rows.',
    scopes: ['inbox:read'],
    params: z.object({ key: Id.describe('The Idempotency-Key of the import.') }),
    query: Paging,
    response: z
      .object({
        rows: z.array(ImportedRow).describe('The rows, in the order of the file.'),
        next,
      })
      .meta({ id: 'ImportedRowList' }),
    async handler({ params, query }, { db, workspace }) {
      const row = await findOperation(db, operationId(workspace.id, params.key))
      const operation = found(row?.workflowType === 'importPeople' ? row : undefined, 'import')
      const [after = -1] = readCursor(query.cursor, 'number') ?? []
      const rows = await listRows(db, operation.id, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, ({ row }) => [row])
      return { rows: items.map((row) => ({ ...row, errors: row.errors ?? [] })), next }
    },
  }),

  change({
    method: 'POST',
    path: '/people/import',
    operationId: 'importPeople',
    summary: 'Import people from a file',
    description:
      'Reads CSV, XLSX and visiting cards (vCard). A person is found by `externalId`, otherwise by address. A column that means nothing else becomes a field of your own, `fields.<heading>`; one that says who must not be written to suppresses them. Without `commit`, the answer is a plan of what would happen, and no key is needed. With `commit: true`, the people are written.',
    scopes: ['inbox:write'],
    action: 'people.imported',
    keyOptional: (body) => (body as { commit?: unknown } | undefined)?.commit !== true,
    // Leaves room for files that are slightly too large, so that the refusal names the file and not the body.
    bodyLimit: 8 * 1024 * 1024,
    body: Import,
    example: {
      file: {
        name: 'people.csv',
        content:
          'RnVsbCBuYW1lLEUtbWFpbCxDb21wYW55Ck1hcmNvIEJlbGxpbmksbWFyY29AYmVsbGluaWN1Y2luYS5leGFtcGxlLEJlbGxpbmkgQ3VjaW5hCg==',
      },
      headings: 1,
      mode: 'complete',
      region: 'DE',
      commit: true,
    },
    response: z.union([Committed, Plan]).meta({ id: 'ImportAnswer' }),
    errors: ['file_too_large', 'unreadable_file', 'quota_exceeded'],
    waits: { ms: 10_000, otherwise: presentImport },
    check: ({ body }) => {
      if (body.file.content.length > largestFile) throw tooLarge(body.file.content.length)
    },
    prepare: async ({ body }, { db, secretKey, workspace: { id, region } }) => {
      const { content } = body.file
      const columns = columnsOf(body)
      if (!body.commit)
        return inTurn(id, async () =>
          planImport(db, { workspace: id, secretKey }, content, columns, {
            mode: body.mode ?? 'complete',
            region: body.region ?? region ?? undefined,
            ...readingOf(body),
          }),
        )
      const reading = readingOf(body)
      if (columns.length > 0 || Object.values(reading).some((said) => said !== undefined))
        await inTurn(id, () => checkColumns(content, columns, reading))
    },
    handler: async ({ body }, context, plan) => {
      if (plan) return plan
      const { name, content } = body.file
      const columns = columnsOf(body)
      const row = {
        workspace: context.workspace.id,
        operation: context.operation.id,
        name,
        content,
        columns,
        mode: body.mode ?? ('complete' as const),
        region: body.region ?? context.workspace.region,
        headings: body.headings ?? null,
        sheet: body.sheet ?? null,
      }
      const id = await insertImport(context.db, row)
      await withinQuotas(context, { openImports: 1, bytes: true })
      const { mode } = row
      context.changed(id, null, { file: name, bytes: content.length, mode })
      await context.start('importPeople', [{ operation: context.operation.id, import: id }])
      return awaited
    },
  }),
]

const columnsOf = ({ columns }: z.output<typeof Import>) =>
  (columns ?? []).map(({ name, field }) => ({ name, field }))

const readingOf = ({ headings, sheet }: z.output<typeof Import>) => ({ headings, sheet })

function tooLarge(bytes: number) {
  const message = `has ${bytes} bytes; at most ${largestFile} are allowed`
  const errors: Problem[] = [{ pointer: '/file/content', code: 'file_too_large', message }]
  return new ApiError('file_too_large', `/file/content: ${message}`, { errors })
}
