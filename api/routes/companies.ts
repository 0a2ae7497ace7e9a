import { z } from 'zod'
import { changesLetters } from '../../db/campaign-words.ts'
import { findCompany, listCompanies, lockCompany, updateCompany } from '../../db/companies.ts'
import { editsLetters, lettersEdited } from '../campaign-words.ts'
import { changesOf } from '../changes.ts'
import { found } from '../errors.ts'
import { Fact, FactEdit } from '../pairs.ts'
import { change, read } from '../route.ts'
import { IdParams, next, optional, Paging, readCursor, Words } from '../shapes.ts'

const Company = z
  .object({
    id: z.string(),
    name: z.string(),
    pitch: z.string(),
    policy: z.string(),
    facts: z.array(Fact),
    markets: z.array(z.string()),
  })
  .meta({ id: 'Company' })
const ReducedCompany = Company.omit({ markets: true })

export const routes = [
  read({
    path: '/companies',
    summary: 'All companies on whose behalf agents write',
    scopes: ['inbox:read'],
    reduced: { response: z.object({ companies: z.array(ReducedCompany), next }) },
    query: Paging,
    response: z.object({ companies: z.array(Company), next }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      return { companies: (await listCompanies(db, workspace.id)).map(shown), next: null }
    },
  }),
  read({
    path: '/companies/{id}',
    summary: 'One company with its facts and markets',
    scopes: ['inbox:read'],
    reduced: { response: ReducedCompany },
    params: IdParams,
    response: Company,
    handler: async ({ params }, { db, workspace }) =>
      shown(found(await findCompany(db, workspace.id, params.id), 'company')),
  }),
  change({
    method: 'PATCH',
    path: '/companies/{id}',
    summary: "Change a company's pitch, policy or facts",
    description: editsLetters,
    scopes: ['inbox:write'],
    reduced: { response: ReducedCompany },
    action: 'company.edited',
    params: IdParams,
    body: z.strictObject({
      pitch: optional(Words),
      policy: optional(Words),
      facts: optional(z.array(FactEdit).max(200)),
    }),
    response: Company,
    handler: async ({ params, body }, context) => {
      const { db, workspace, changed } = context
      const now = shown(found(await lockCompany(db, workspace.id, params.id), 'company'))
      const edit = changesOf(now, body)
      if (!edit) return now
      if (changesLetters('companies', edit.before, edit.after))
        await lettersEdited(context, { table: 'companies', id: now.id })
      await updateCompany(db, now.id, edit.after)
      changed(now.id, edit.before, edit.after)
      return { ...now, ...edit.after }
    },
  }),
]

type Row = NonNullable<Awaited<ReturnType<typeof findCompany>>>

const shown = (row: Row) => ({ ...row, facts: z.array(Fact).parse(row.facts) })
