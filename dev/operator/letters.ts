import { parseArgs } from 'node:util'
import type { Db } from '../../db/database.ts'
import { findLetterInHand } from '../../db/outgoing/letters-in-hand.ts'
import {
  listUnconfirmed,
  type Unconfirmed,
  type WhichUnconfirmed,
} from '../../db/outgoing/list-unconfirmed.ts'
import { loadConfig } from '../../process/config.ts'
import { createLog } from '../../process/telemetry/log.ts'
import { eachPage, fail, withDatabase } from './commands.ts'
import { isOutcome, resolveLetter } from './resolve-letter.ts'

// npm run letters: many unconfirmed letters at once, as after a server or a worker that died. `npm run operation` decides one.

const usage = [
  'npm run -s letters -- list [WHICH]                       how many are unconfirmed, by account and minute',
  'npm run -s letters -- list --each [WHICH]                each of them',
  'npm run -s letters -- resolve sent|again ID …            decides some, by their ids',
  'npm run -s letters -- resolve sent|again --connection ID [WHICH]   decides those of an account',
  '(WHICH: --workspace ID, --connection ID, --from INSTANT, --until INSTANT: of when they were handed over)',
]

const config = loadConfig()
const { values, positionals } = options()
const [verb, outcome, ...ids] = positionals
const which = readWhich()
await withDatabase(config, verb === 'list' ? list : verb === 'resolve' ? resolve : fail(...usage))

function options() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        ...{ workspace: text, connection: text, from: text, until: text },
        each: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return fail((error as Error).message, ...usage)
  }
}

function readWhich(): WhichUnconfirmed {
  const { workspace, connection } = values
  const instant = (name: 'from' | 'until') => {
    const given = values[name]
    if (given === undefined) return undefined
    const at = new Date(given)
    // A time without an offset would be one of this machine.
    if (Number.isNaN(at.getTime()) || !/(?:Z|[+-]\d\d:\d\d)$/.test(given))
      return fail(`--${name} must be an instant with its offset, such as 2026-11-23T03:00:00Z.`)
    return at
  }
  return { workspace, connection, from: instant('from'), until: instant('until') }
}

function eachUnconfirmed(db: Db, take: (rows: Unconfirmed[]) => Promise<void> | void) {
  return eachPage((after, limit) => listUnconfirmed(db, which, after, limit), take)
}

async function list(db: Db) {
  if (outcome !== undefined) fail(...usage)
  const groups = new Map<string, number>()
  await eachUnconfirmed(db, (rows) => {
    for (const { id, workspace, connection, account, claimedAt, messageId } of rows) {
      const at = claimedAt.toISOString()
      const of = [workspace, connection ?? '-', account ?? '-']
      if (values.each) console.log([at, ...of, id, messageId ?? '-'].join('\t'))
      const group = [`${at.slice(0, 16)}Z`, ...of].join('\t')
      groups.set(group, (groups.get(group) ?? 0) + 1)
    }
  })
  if (groups.size === 0) console.error('No letter is unconfirmed.')
  if (values.each) return
  for (const [group, count] of [...groups].sort()) console.log(`${group}\t${count}`)
}

async function resolve(db: Db) {
  if (!isOutcome(outcome) || values.each) return fail(...usage)
  // Neither all letters by a slip of the hand, nor two ways to say which.
  if (ids.length > 0 === (which.connection !== undefined)) return fail(...usage)
  const log = createLog('letters', config.logLevel)
  let decided = 0
  const decide = async (id: string) => {
    const letter = await findLetterInHand(db, { id })
    if (!letter) return fail(`${id} is not a letter, message or invitation.`)
    if (letter.reason !== 'unconfirmed') {
      console.error(`${id} is ${letter.state}: there is nothing to resolve.`)
      return
    }
    await resolveLetter({ db, log }, letter, outcome)
    decided++
  }
  for (const id of ids) await decide(id)
  if (ids.length === 0)
    await eachUnconfirmed(db, async (rows) => {
      for (const { id } of rows) await decide(id)
    })
  const what = outcome === 'sent' ? 'count as sent' : 'are queued and will be sent again'
  console.error(`${decided} ${decided === 1 ? 'letter' : 'letters'}: they ${what}.`)
}
