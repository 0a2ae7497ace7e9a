import { eraserOf, type Sought } from '../../rules/people/erased-words.ts'
import { type Db, takeLong } from '../database.ts'
import { endOperation } from '../operations/operations.ts'
import { eraseConversations, eraseElsewhere, gatherNames } from './conversations.ts'
import { endLetters, eraseTouches } from './letters.ts'
import { eraseInLetters, eraseLists, eraseMeetings } from './others.ts'
import {
  eraseAnswers,
  eraseAudit,
  eraseEvents,
  eraseImports,
  eraseNotifications,
} from './records.ts'
import type { Step, Work } from './work.ts'

// The rest of an erasure, after its call: everything that somebody has said or was told, and every place that names them. Each page is
// one transaction with the place after it, so it may be cut off anywhere and goes on where it was.

/** In this order: words are looked for in messages while they are there, and what tells of letters is erased after their end. */
const steps: Step[] = [
  endLetters,
  async (work) => {
    const names = await gatherNames(work)
    return names.length > 0 ? { after: null, names } : undefined
  },
  eraseTouches,
  eraseElsewhere,
  eraseConversations,
  eraseInLetters,
  eraseMeetings,
  eraseNotifications,
  eraseAudit,
  eraseAnswers,
  eraseEvents,
  eraseImports,
  eraseLists,
]

export type Erased = { is: 'going' | 'waiting' | 'ended'; done: number; total: number }

/** Does the next page; `waiting` if a letter is being sent, or a file imported. */
export const erasePage = (db: Db, operation: string, now: Date): Promise<Erased> =>
  db.transaction().execute(async (trx) => {
    // What names a person is looked for in large tables.
    await takeLong(trx)
    const total = steps.length
    const row = await trx
      .selectFrom('erasures')
      .selectAll()
      .where('operation', '=', operation)
      .forUpdate()
      .executeTakeFirst()
    if (!row?.sought) return { is: 'ended', done: total, total }
    const step = steps[row.step]
    if (!step) {
      await trx
        .updateTable('erasures')
        .set({ sought: null, after: null })
        .where('operation', '=', operation)
        .execute()
      const result = { id: row.person, erased: true }
      await endOperation(trx, operation, { state: 'done', result }, now)
      return { is: 'ended', done: total, total }
    }
    const { workspace, sought } = row
    const work: Work = { trx, workspace, operation, sought, eraser: eraserOf(sought), now }
    const page = await step(work, row.after)
    if (page === 'wait') return { is: 'waiting', done: row.step, total }
    const isNamed = page?.names !== undefined
    const names = [...new Set([...sought.names, ...(page?.names ?? [])])]
    const known: Sought = { ...sought, names }
    const goesOn = page !== undefined && !isNamed
    await trx
      .updateTable('erasures')
      .set({ sought: JSON.stringify(known), step: goesOn ? row.step : row.step + 1 })
      .set({ after: goesOn ? JSON.stringify(page.after) : null })
      .where('operation', '=', operation)
      .execute()
    return { is: 'going', done: goesOn ? row.step : row.step + 1, total }
  })
