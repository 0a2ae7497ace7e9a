import { parseArgs } from 'node:util'
import { openClock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { goOn } from '../../db/inbox/hold-ends.ts'
import {
  endHolds,
  type Held,
  type HoldRow,
  hold,
  holdsOf,
  listConcerned,
  listHolds,
  tellMembers,
} from '../../db/workspace/holds.ts'
import { findWorkspace } from '../../db/workspace/workspaces.ts'
import { loadConfig } from '../../process/config.ts'
import {
  heldSentence,
  hostHeldSentence,
  hostReleasedSentence,
  releasedSentence,
} from '../../rules/hold-words.ts'
import { auditOfOperator, fail, withDatabase } from './commands.ts'

// npm run hold: nothing of what is held is sent, posted or filed, until the operator says so.

const usage = [
  'npm run -s hold                                        lists what is held',
  'npm run -s hold -- all --why REASON                    holds everything',
  'npm run -s hold -- workspace ID --why REASON           holds a workspace',
  'npm run -s hold -- host NAME --why REASON              holds the accounts of a mail server',
  'npm run -s hold -- off [all | workspace ID | host NAME]',
  '    ends the holds of the operator; of one workspace, those of applications too',
]

const config = loadConfig()
const { values, positionals } = options()
const [verb, ...rest] = positionals
await withDatabase(config, verb === undefined ? list : verb === 'off' ? off : on)

function options() {
  try {
    return parseArgs({ allowPositionals: true, options: { why: { type: 'string' } } })
  } catch (error) {
    return fail((error as Error).message, ...usage)
  }
}

async function targetOf(db: Db, [what, name, ...more]: string[]): Promise<Held> {
  if (what === 'all' && name === undefined) return { what }
  if (name === undefined || more.length > 0) return fail(...usage)
  if (what === 'host') return { what, host: name.toLowerCase() }
  if (what !== 'workspace') return fail(...usage)
  if (!(await findWorkspace(db, name))) fail(`There is no workspace ${name}.`)
  return { what, workspace: name }
}

async function list(db: Db) {
  if (values.why !== undefined) fail(...usage)
  const all = await listHolds(db)
  for (const row of all)
    console.log(
      [nameOf(row), row.clientName ?? row.setBy, row.createdAt.toISOString(), row.why].join('\t'),
    )
  if (all.length === 0) console.error('Nothing is held.')
}

function nameOf({ what, workspace, host }: HoldRow) {
  return [what, workspace ?? host].filter((part) => part !== null).join(' ')
}

async function on(db: Db) {
  const target = await targetOf(db, positionals)
  const why = values.why?.replace(/\s+/g, ' ').trim()
  if (!why || why.length > 300)
    fail('Give the reason with --why, in at most 300 characters.', ...usage)
  const now = (await openClock(db, config.clock)).now()
  const concerned = await db.transaction().execute(async (trx) => {
    const all = await listConcerned(trx, target)
    for (const workspace of all) {
      await auditOfOperator(trx, {
        workspace,
        at: now,
        action: 'workspace.held',
        resource: workspace,
        after: { why },
      })
      const text = target.what === 'host' ? hostHeldSentence(target.host, why) : heldSentence(why)
      await tellMembers(trx, workspace, 'workspace.held', text, now)
    }
    await hold(trx, { ...target, setBy: 'operator', why }, now)
    return all.length
  })
  console.error(
    `${wordsOf(target, concerned)} held: nothing of it is claimed any more. What a server has been given is settled.`,
  )
}

async function off(db: Db) {
  if (values.why !== undefined) fail(...usage)
  const target = rest.length > 0 ? await targetOf(db, rest) : undefined
  const setBy =
    target?.what === 'workspace'
      ? (['operator', 'administration', 'workspace'] as const)
      : (['operator'] as const)
  const now = (await openClock(db, config.clock)).now()
  const ended = await db.transaction().execute(async (trx) => {
    const holds = await endHolds(trx, target, setBy)
    const going = new Set<string>()
    for (const one of holds) {
      const of = heldIn(one)
      for (const workspace of await listConcerned(trx, of)) {
        going.add(workspace)
        await auditOfOperator(trx, {
          workspace,
          at: now,
          action: 'workspace.released',
          resource: workspace,
          after: { why: null },
        })
        if ((await holdsOf(trx, workspace)).length > 0) continue
        const text = of.what === 'host' ? hostReleasedSentence(of.host) : releasedSentence
        await tellMembers(trx, workspace, 'workspace.released', text, now)
      }
    }
    await goOn(trx, [...going])
    return holds
  })
  if (ended.length === 0) console.error('There was no such hold.')
  for (const one of ended) console.error(`${nameOf(one)}: no longer held (${one.why})`)
  for (const one of await listHolds(db))
    console.error(`still held: ${nameOf(one)}, by ${one.clientName ?? one.setBy} (${one.why})`)
}

function heldIn({ what, workspace, host }: HoldRow): Held {
  if (what === 'workspace') return { what, workspace: workspace as string }
  return what === 'host' ? { what, host: host as string } : { what }
}

function wordsOf(target: Held, concerned: number) {
  const of = `${concerned} ${concerned === 1 ? 'workspace' : 'workspaces'}`
  if (target.what === 'all') return `Everything (${of}) is`
  if (target.what === 'host') return `The accounts at ${target.host} (${of}) are`
  return `The workspace ${target.workspace} is`
}
