import { z } from 'zod'
import { changesLetters } from '../../../db/campaigns/written-with.ts'
import {
  findCompany,
  listCompanies,
  lockCompany,
  updateCompany,
} from '../../../db/workspace/companies.ts'
import { found } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import { Fact, FactEdit } from '../../shapes/facts-and-conditions.ts'
import {
  IdParams,
  NoNext,
  OwnId,
  optional,
  readCursor,
  WholeList,
  Words,
} from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'
import { editsLetters, lettersEdited } from '../written-with.ts'

const Company = z
  .object({
    id: OwnId,
    name: z.string().describe('The name of the company.'),
    pitch: z.string().describe('What it says about itself.'),
    policy: z.string().describe('What it refuses and does not talk about.'),
    facts: z.array(Fact).describe('Facts about it, as pairs of a label and a value.'),
    markets: z.array(z.string()).describe('The countries it serves, as ISO codes.'),
  })
  .meta({ id: 'Company' })
const ReducedCompany = Company.omit({ markets: true }).meta({ id: 'Company' })

const every = 'All companies on whose behalf agents write.'
export const routes = [
  read({
    path: '/companies',
    operationId: 'listCompanies',
    summary: 'List companies',
    scopes: ['inbox:read'],
    reduced: {
      response: z
        .object({ companies: z.array(ReducedCompany).describe(every), next: NoNext })
        .meta({ id: 'CompanyList' }),
    },
    query: WholeList,
    response: z
      .object({ companies: z.array(Company).describe(every), next: NoNext })
      .meta({ id: 'CompanyList' }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      return { companies: (await listCompanies(db, workspace.id)).map(shown), next: null }
    },
  }),
  read({
    path: '/companies/{id}',
    operationId: 'getCompany',
    summary: 'Read a company',
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
    operationId: 'updateCompany',
    summary: 'Edit a company',
    description: editsLetters,
    scopes: ['inbox:write'],
    reduced: { response: ReducedCompany },
    action: 'company.edited',
    params: IdParams,
    body: z
      .strictObject({
        pitch: optional(Words).describe('What it says about itself.'),
        policy: optional(Words).describe('What it refuses and does not talk about.'),
        facts: optional(z.array(FactEdit).max(200)).describe(
          'Facts about it, as pairs `{label, value}` or `{founded: "2019"}`; they replace the present ones.',
        ),
      })
      .meta({ id: 'CompanyUpdate' }),
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
