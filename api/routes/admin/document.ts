import { z } from 'zod'
import type { Trx } from '../../../db/database.ts'
import {
  findDescribed,
  listTaken,
  lockAdministration,
} from '../../../db/workspace/administration.ts'
import { findExceeded } from '../../../db/workspace/quotas.ts'
import { modeProblems, modes, withMode } from '../../../rules/sandbox/mode.ts'
import { ApiError, found, type Problem } from '../../http/errors.ts'
import { quotaExceeded } from '../../http/quotas.ts'
import { type AdminChangeContext, adminChange, adminRead } from '../../route.ts'
import { IdParams, modeWords, NoQuery, OwnId } from '../../shapes/shapes.ts'
import { problemsAcross } from '../../workspace-file/across.ts'
import { carryOut, followEdits, type Work } from '../../workspace-file/apply.ts'
import {
  type Change,
  changesIn,
  editsOf,
  notMentioned,
  pointerOf,
  type Refusal,
  refusalsOf,
  unstorable,
  variablesIn,
} from '../../workspace-file/changes.ts'
import { documentOf, type Rows, rowsOf } from '../../workspace-file/document.ts'
import { addContent, contentIds, itemsOf } from '../../workspace-file/items.ts'
import { WorkspaceDocument } from '../../workspace-file/shape.ts'

// A workspace as a document: what GET shows can be given to PUT again, and changes nothing.

const Thing = z.looseObject({ id: OwnId }).meta({ id: 'DescribedThing' })

const things = (what: string) =>
  z.array(Thing).describe(`${what}, each with the members of the workspace file.`)

const Mode = z.enum(modes).describe(modeWords)

const Document = z
  .object({
    workspace: z
      .looseObject({
        id: OwnId,
        name: z.string().describe('The name of the workspace.'),
        timezone: z.string().describe('The IANA name of its time zone.'),
        tagging: z.boolean().describe('Whether correspondence is marked automatically.'),
        region: z.string().optional().describe('The country of its national phone numbers.'),
        mode: Mode,
      })
      .meta({ id: 'DescribedWorkspace' })
      .describe('The workspace itself.'),
    house: z.string().describe('The rules for all agents.'),
    members: things('The people who work in it'),
    connections: things('Its accounts'),
    calendars: things('The calendars of its members on other servers'),
    products: things('What it sells or buys'),
    companies: things('In whose name its agents write'),
    agents: things('Who writes'),
    retention: z
      .looseObject({})
      .optional()
      .describe('For how many days things are kept, if that is set.'),
    quotas: z
      .looseObject({})
      .optional()
      .describe('What the workspace may have at once, if that is bounded.'),
    billing: z
      .looseObject({})
      .optional()
      .describe('The subscription, if the operator has recorded one.'),
  })
  .meta({ id: 'WorkspaceDocument' })

const Changed = z
  .object({
    workspace: z.string().describe('The id of the workspace.'),
    changes: z
      .array(
        z
          .object({
            path: z.string().describe('Where in the document, as a JSON pointer.'),
            from: z.unknown().describe('What is there now; null if there is nothing.'),
            to: z
              .unknown()
              .describe('What is to be there; of a password or secret only that it is `changed`.'),
          })
          .meta({ id: 'DocumentChange' }),
      )
      .describe('What the document changes.'),
    notMentioned: z
      .array(z.string())
      .describe('What is there and stays although the document does not name it: kind and id.'),
  })
  .meta({ id: 'DocumentChanges' })

const mostErrors = 50

export const routes = [
  adminRead({
    path: '/workspaces/{id}',
    operationId: 'getWorkspaceDocument',
    summary: 'Read a workspace as a document',
    description:
      'The workspace file as it would have to be to describe what is there, with the edits of clients and without secrets.',
    scopes: ['workspaces'],
    params: IdParams,
    query: NoQuery,
    response: Document,
    async handler(_, { db, workspace }) {
      const rows = await rowsOf(db, workspace.id)
      found(rows.workspace, 'workspace')
      return documentOf(rows) as never
    },
  }),
  adminChange({
    method: 'PUT',
    path: '/workspaces/{id}',
    operationId: 'putWorkspaceDocument',
    summary: 'Put a workspace as a document',
    description:
      'Makes the workspace what the document says, all of it or nothing; what the document does not name stays. A token that sees all workspaces creates the workspace if it is not there. With `plan=true` nothing is changed. A secret that is left out stays where its server, port, TLS and user stay.',
    scopes: ['workspaces'],
    scopesFor: (raw) => {
      const given = (name: string) => raw === undefined || Object.hasOwn(Object(raw), name)
      return [
        'workspaces',
        ...(given('members') ? (['members'] as const) : []),
        ...(given('connections') || given('calendars') ? (['connections'] as const) : []),
      ]
    },
    scopesAtLeast: [['workspaces']],
    creates: true,
    action: 'workspace.edited',
    params: IdParams,
    query: z.strictObject({
      plan: z
        .enum(['true', 'false'])
        .default('false')
        .describe('`true` says what the document would change, and changes nothing.'),
    }),
    body: WorkspaceDocument,
    response: Changed,
    errors: ['secret_needed', 'private_address', 'conflict', 'quota_exceeded'],
    async handler({ query, body }, context) {
      const { db, clock, changed } = context
      const { id } = context.workspace
      const secretKey = context.secretKey
      await lockAdministration(db)
      const rows = await rowsOf(db, id)
      const present = rows.workspace?.['mode']
      const { workspace } = body
      const given = { ...body, workspace: { ...workspace, id: workspace.id ?? id } }
      const document = withMode(given, present)
      const edits = editsOf(document, rows, {
        secretKey,
        mayBePrivate: context.deployment.mailAllowPrivate === true,
      })
      const refused = [
        ...(document.workspace.id === id
          ? []
          : [{ path: ['workspace', 'id'], code: 'invalid_value', message: `must be ${id}` }]),
        ...variablesIn(document.connections, ['connections']),
        ...variablesIn(document.calendars, ['calendars']),
        ...[
          ...modeProblems(document, present),
          ...problemsAcross(document, idsIn(rows)),
          ...unstorable(document, !!secretKey),
        ].map((problem) => ({ code: 'invalid_value', ...problem })),
        ...(await takenIds(db, id, document)),
        ...refusalsOf(edits, secretKey, context.only !== null),
      ]
      if (refused.length > 0) throw refusalOf(refused)

      const added = await contentMissing(db, document)
      const changes = [...edits.flatMap((edit) => changesIn(edit, secretKey)), ...added]
      const answer = { workspace: id, changes, notMentioned: notMentioned(document, rows) }
      if (query.plan === 'true') return answer
      const work: Work = { trx: db, workspace: id, secretKey, now: clock.now() }
      for (const edit of edits) await carryOut(work, edit)
      await addContent({ ...work, changes: [] }, document)
      await followEdits(work, edits)
      const connections = edits.filter(({ item, row }) => item.table === 'connections' && !row)
      const exceeded = await findExceeded(db, id, { connections: connections.length, bytes: true })
      if (exceeded) throw quotaExceeded(exceeded)
      if (changes.length > 0) audited(id, changes, changed)
      return answer
    },
  }),
]

/** By the place of each change in the document. */
function audited(id: string, changes: Change[], changed: AdminChangeContext['changed']) {
  const by = (side: 'from' | 'to') =>
    Object.fromEntries(changes.map((change) => [change.path, change[side]]))
  changed(id, by('from'), by('to'))
}

const idsIn = (rows: Rows) => {
  const ids = (name: Exclude<keyof Rows, 'workspace'>) => rows[name].map(({ id }) => id)
  return {
    members: ids('members'),
    // An agent whose only account was removed still names it, or else it would write through every other one.
    connections: [
      ...ids('connections'),
      ...rows.agents.flatMap(({ channels }) => channels as string[]),
    ],
    products: ids('products'),
    companies: ids('companies'),
    agents: ids('agents'),
  }
}

/** Ids that cannot be used, because something beyond this workspace has them. */
async function takenIds(db: Trx, workspace: string, document: WorkspaceDocument) {
  const used = [...itemsOf(document).slice(1), ...contentIds(document)]
  const refused: Refusal[] = []
  for (const [table, items] of Map.groupBy(used, ({ table }) => table)) {
    if (table === 'workspaces') continue
    const ids = items.map(({ id }) => id)
    const taken = new Set(await listTaken(db, table, workspace, ids))
    for (const { id, path } of items)
      if (taken.has(id))
        refused.push({ path, code: 'unavailable', message: 'cannot be used: choose another id' })
  }
  return refused
}

/** People, conversations and deals that are not there yet: they are added once, and never touched again. */
async function contentMissing(db: Trx, document: WorkspaceDocument): Promise<Change[]> {
  const added: Change[] = []
  for (const [table, items] of Map.groupBy(contentIds(document), ({ table }) => table)) {
    const rows = await findDescribed(
      db,
      table,
      items.map(({ id }) => id),
    )
    const there = new Set(rows.map(({ id }) => id))
    for (const { id, path } of items)
      if (!there.has(id)) added.push({ path: pointerOf(path.slice(0, -1)), from: null, to: { id } })
  }
  return added
}

function refusalOf(refused: Refusal[]) {
  const errors: Problem[] = refused
    .slice(0, mostErrors)
    .map(({ path, code, message }) => ({ pointer: pointerOf(path), code, message }))
  const [first] = errors
  const code =
    (['secret_needed', 'private_address'] as const).find((own) =>
      refused.every((one) => one.code === own),
    ) ?? 'validation_failed'
  return new ApiError(code, `${first?.pointer}: ${first?.message}`, { errors })
}
