import { z } from 'zod'
import { importFields } from '../../db/import/headings.ts'
import { insertImport, presentImport } from '../../db/imports.ts'
import { ApiError, type Problem } from '../errors.ts'
import { checkColumns, planImport } from '../import-plan.ts'
import { awaited, change } from '../route.ts'
import { optional, text } from '../shapes.ts'
import { inTurn } from '../turns.ts'

/** 3 MB of the interface: of the file itself, before base64 makes it a third longer. */
const largestFile = 3 * 1024 * 1024

const Content = z.string().transform((content, context) => {
  const bytes = fromBase64(content) ?? fromBase64(content.replace(/\s+/g, ''))
  if (bytes) return bytes
  context.addIssue({ code: 'custom', message: 'must be base64' })
  return z.NEVER
})

/** What a text without blanks stands for; undefined where it is no base64. */
function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  // Compared with what it came to, which is quicker by far than a pattern over megabytes; only its last few characters may be
  // written in more than one way.
  const certain = Math.floor(bytes.length / 3) * 4
  const end = /^(?:[A-Za-z0-9+/]{2,3}={0,2}|={0,2})$/
  const same = bytes.toString('base64', 0, (certain / 4) * 3) === text.slice(0, certain)
  return same && end.test(text.slice(certain)) ? bytes : undefined
}

const Field = z.enum(importFields)
const Import = z.strictObject({
  file: z.looseObject({ name: text(255), content: Content }),
  columns: optional(
    z.array(z.looseObject({ name: z.string().max(255), field: Field.nullish() })).max(1000),
  ),
  commit: optional(z.boolean()),
})

const Rows = z.object({
  total: z.number(),
  new: z.number(),
  update: z.number(),
  same: z.number(),
  duplicate: z.number(),
  invalid: z.number(),
})
const Errors = z.array(
  z.object({
    row: z.number(),
    column: z.string().nullable(),
    code: z.string(),
    message: z.string(),
  }),
)
const Plan = z.object({
  columns: z.array(z.object({ name: z.string(), field: Field.nullable(), sample: z.string() })),
  rows: Rows,
  errors: Errors,
  sample: z.array(
    z.object({
      row: z.number(),
      outcome: z.enum(['new', 'update', 'same', 'duplicate', 'matches_two']),
      name: z.string(),
      email: z.string(),
      phone: z.string(),
      linkedin: z.string(),
      company: z.string(),
      city: z.string(),
      jobTitle: z.string(),
    }),
  ),
})
const Committed = z.object({ operation: z.string(), state: z.string(), rows: Rows, errors: Errors })

export const routes = [
  change({
    method: 'POST',
    path: '/people/import',
    summary: 'Plan the import of a CSV file of people, or with commit: true carry it out',
    scopes: ['inbox:write'],
    action: 'people.imported',
    keyOptional: (body) => (body as { commit?: unknown } | undefined)?.commit !== true,
    // Room for files somewhat too large, so that they are told so and not that the body is.
    bodyLimit: 8 * 1024 * 1024,
    body: Import,
    response: z.union([Committed, Plan]),
    errors: ['file_too_large', 'unreadable_file'],
    waits: { ms: 10_000, otherwise: presentImport },
    check: ({ body }) => {
      if (body.file.content.length > largestFile) throw tooLarge(body.file.content.length)
    },
    prepare: async ({ body }, { db, workspace: { id } }) => {
      const { content } = body.file
      const columns = columnsOf(body)
      if (!body.commit) return inTurn(id, () => planImport(db, id, content, columns))
      if (columns.length > 0) await inTurn(id, () => checkColumns(content, columns))
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
      }
      const id = await insertImport(context.db, row)
      context.changed(id, null, { file: name, bytes: content.length })
      await context.start('importPeople', [{ operation: context.operation.id, import: id }])
      return awaited
    },
  }),
]

const columnsOf = ({ columns }: z.output<typeof Import>) =>
  (columns ?? []).map(({ name, field }) => ({ name, field: field ?? null }))

function tooLarge(bytes: number) {
  const message = `holds ${bytes} bytes; ${largestFile} are the most`
  const errors: Problem[] = [{ pointer: '/file/content', code: 'file_too_large', message }]
  return new ApiError('file_too_large', `/file/content: ${message}`, { errors })
}
