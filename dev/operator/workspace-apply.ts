import { createHash } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { carryOut, type Edit, editOf, followEdits } from '../../api/workspace-file/apply.ts'
import { unstorable } from '../../api/workspace-file/changes.ts'
import {
  addContent,
  contentIds,
  itemsOf,
  listed,
  memberNames,
} from '../../api/workspace-file/items.ts'
import type { Db, Trx } from '../../db/database.ts'
import { isErased } from '../../db/erasure/workspaces.ts'
import { replaceProspects } from '../../db/people/prospects.ts'
import type { SecretKey } from '../../db/secrets.ts'
import { findSetting, keepSetting } from '../../db/settings.ts'
import { findDescribed, lockAdministration } from '../../db/workspace/administration.ts'
import { modeProblems, withMode } from '../../rules/sandbox/mode.ts'
import { type Prospect, readProspects } from './prospects.ts'
import { type Problem, type ReadFile, readWorkspaceFile } from './workspace-file.ts'

// Applying a file a second time changes nothing, even if clients have since edited what it describes: each member of
// the file is compared with the same member at the last apply. What the file no longer names is kept. One file, because every part
// of it reads and extends the same plan.

type Applying = {
  /** The file; the path of its prospects is relative to its folder. */
  path: string
  /** The values that `${NAME}` in the file stands for. */
  env: NodeJS.ProcessEnv
  /** Passwords are encrypted with it. */
  secretKey: SecretKey | undefined
  /** The time of the business clock. */
  now: Date
  /** Only reports what it would change. */
  plan?: boolean
}
type Applied = { workspace: string; changes: string[]; problems?: undefined }
type Refused = { problems: (Problem & { path: string })[] }

type Remembered = { rows: Record<string, Record<string, unknown>>; prospects?: string }
type Work = Applying & { trx: Trx; workspace: string; remembered: Remembered; changes: string[] }

/** Applies a workspace file in one transaction, or answers everything that is wrong with it. */
export async function applyWorkspaceFile(db: Db, options: Applying): Promise<Applied | Refused> {
  const read = readWorkspaceFile(options.path, options.env)
  const at = (path: string, problems: Problem[]) =>
    problems.map((problem) => ({ path, ...problem }))
  if (!read.file) return { problems: at(options.path, read.problems) }

  const workspace = read.file.workspace.id
  const prospects = read.file.prospects && resolve(dirname(options.path), read.file.prospects)
  const found = prospects ? readProspects(prospects, workspace) : undefined
  if (prospects && found?.problems.length) return { problems: at(prospects, found.problems) }

  const rollback = Symbol('plan')
  let outcome: Applied | Refused | undefined
  try {
    await db.transaction().execute(async (trx) => {
      await lockAdministration(trx)
      const [row] = await findDescribed(trx, 'workspaces', [workspace])
      const present = row?.['mode']
      const ofMode = modeProblems(read.file, present).map(({ path, message }) => ({
        line: read.lineOf(path),
        message: `${path.at(-1)} ${message}`,
      }))
      read.file = withMode(read.file, present)
      const problems = [...ofMode, ...(await clashes(trx, read, options.secretKey))]
      if (problems.length > 0) outcome = { problems: at(options.path, problems) }
      else outcome = await applyIn(trx, read, found?.rows, options)
      if (options.plan) throw rollback
    })
  } catch (error) {
    if (error !== rollback) throw error
  }
  return outcome as Applied | Refused
}

/** Ids are unique in the whole database: one that belongs to another workspace cannot be used. */
async function clashes(trx: Trx, { file, lineOf }: ReadFile, secretKey: SecretKey | undefined) {
  const workspace = file.workspace.id
  const problems: Problem[] = []
  if (await isErased(trx, workspace))
    problems.push({
      line: lineOf(['workspace', 'id']),
      message: `${workspace} was a workspace and was erased: its id is not given again, so choose another`,
    })
  const used = [...itemsOf(file).slice(1), ...contentIds(file)]
  for (const [table, items] of Map.groupBy(used, ({ table }) => table)) {
    const rows = await findDescribed(
      trx,
      table,
      items.map(({ id }) => id),
    )
    const elsewhere = new Set(
      rows.filter((row) => row['workspace'] !== workspace).map(({ id }) => id),
    )
    for (const { id, path } of items)
      if (elsewhere.has(id)) problems.push({ line: lineOf(path), message: taken(id, workspace) })
  }
  for (const { path, message } of unstorable(file, secretKey !== undefined))
    problems.push({ line: lineOf(path), message })
  return problems
}

const taken = (id: string, workspace: string) =>
  `the id ${id} belongs to another workspace of this database: ids are unique across all workspaces, so choose another, such as ${id}_${workspace.replace(/^wsp_/, '')}`

async function applyIn(
  trx: Trx,
  { file }: ReadFile,
  prospects: Prospect[] | undefined,
  options: Applying,
) {
  const workspace = file.workspace.id
  const setting = `workspace-file-last-applied:${workspace}`
  const remembered = ((await findSetting(trx, setting)) ?? { rows: {} }) as Remembered
  const work: Work = {
    ...options,
    trx,
    workspace,
    remembered: structuredClone(remembered),
    changes: [],
  }

  const edits: Edit[] = []
  for (const [table, items] of Map.groupBy(itemsOf(file), (item) => item.table)) {
    const rows = await findDescribed(
      trx,
      table,
      items.map(({ id }) => id),
    )
    for (const item of items) {
      const row = rows.find(({ id }) => id === item.id)
      const edit = editOf(work, item, row, work.remembered.rows[`${item.table}/${item.id}`])
      work.remembered.rows[`${item.table}/${item.id}`] = item.given
      if (!edit) continue
      if (row?.['leftAt'] || row?.['removedAt']) {
        const what = row['leftAt'] ? 'has left' : 'was removed'
        work.changes.push(`! ${item.noun} ${item.id} ${what}, and stays so`)
        continue
      }
      await carryOut(work, edit)
      tellEdit(work, edit)
      edits.push(edit)
    }
  }
  tellRemoved(work, file)
  if (prospects) await applyProspects(work, prospects)
  await addContent(work, file)
  await followEdits(work, edits)
  if (!isDeepStrictEqual(work.remembered, remembered))
    await keepSetting(trx, setting, work.remembered)
  return { workspace, changes: work.changes }
}

/** Leaving something out of the file deletes nothing; a line for the operator says so. */
function tellRemoved({ remembered, changes }: Work, file: ReadFile['file']) {
  const named = new Set(itemsOf(file).map(({ table, id }) => `${table}/${id}`))
  const gone = Object.keys(remembered.rows).filter((row) => !named.has(row))
  if (gone.length > 0)
    changes.push(
      `! no longer in the file, kept as they are: ${listed(gone.map((row) => row.replace('/', ' ')))}`,
    )
}

function tellEdit({ plan, changes }: Work, { item, row, names, wanted, secrets }: Edit) {
  if (!row) return changes.push(`+ ${item.noun} ${item.id}`)
  const members = [
    ...names.map((name) => memberNames[name] ?? name),
    ...(secrets ? ['password'] : []),
  ]
  const lines = [
    ...names.flatMap((name) => differences(memberNames[name] ?? name, row[name], wanted[name])),
    ...(secrets ? ['password: changed, not shown'] : []),
  ]
  return changes.push(
    [
      `~ ${item.noun} ${item.id}: ${members.join(', ')}`,
      ...(plan ? lines.map((line) => `    ${line}`) : []),
    ].join('\n'),
  )
}

async function applyProspects(work: Work, rows: Prospect[]) {
  const hash = createHash('sha256').update(JSON.stringify(rows)).digest('hex')
  if (work.remembered.prospects === hash) return
  work.remembered.prospects = hash
  await replaceProspects(work.trx, work.workspace, rows)
  work.changes.push(`~ prospects: ${rows.length}`)
}

// How a plan shows a change: each member that differs, with its present and its future value. No secrets are compared
// here, so none is shown.

const longest = 160

/** Lines such as `pitch: "Calm." -> "Calmer."`; objects are shown member by member. */
function differences(name: string, from: unknown, to: unknown): string[] {
  if (isDeepStrictEqual(from, to)) return []
  if (!isPlain(from) || !isPlain(to)) return [`${name}: ${shown(from)} -> ${shown(to)}`]
  const members = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...members].flatMap((member) =>
    differences(`${name}.${member}`, from[member], to[member]),
  )
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  // An address may contain a password.
  const text = JSON.stringify(value).replace(/\/\/[^/@\s"]+@/g, '//***@')
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
