import { heartbeat } from '@temporalio/activity'
import { wakeRunners } from '../db/campaigns.ts'
import { endOperation } from '../db/operations.ts'
import {
  type Checked,
  listMailAccounts,
  listSenderHealth,
  presentHealth,
  updateChecked,
} from '../db/senders.ts'
import type { ConnectionRow } from '../db/sending.ts'
import { dayIn, limitsOf, mondayIn } from '../workflows/pace.ts'
import type { Deps } from './deps.ts'
import { openAccount } from './handover.ts'
import { MailTrouble } from './mail.ts'

export const checkSendersActivities = (deps: Deps) => {
  const { db, clock } = deps
  return {
    /** Logs in to each account and notes what it found; answers the call if there is one. Safe to retry: it looks anew. */
    async checkSenders(input: {
      operation: string | null
      workspace: string | null
      connection: string | null
    }): Promise<void> {
      const beats = setInterval(() => heartbeat(), 3000)
      try {
        await Promise.all((await listMailAccounts(db, input)).map(check))
        if (input.operation !== null) await answer(input.operation, input.workspace as string)
      } finally {
        clearInterval(beats)
      }
    },

    /** Logs in anew to the accounts that were found dead, so that one that came back is used again. Safe to retry. */
    async reviveSenders(): Promise<void> {
      const accounts = await listMailAccounts(db, { workspace: null, connection: null })
      await Promise.all(accounts.filter(({ alive }) => !alive).map(check))
    },
  }

  async function check(account: ConnectionRow) {
    const problem = await login(account)
    const level = problem === null ? 'normal' : 'blocked'
    const checked: Checked = {
      alive: problem === null,
      problem,
      health: level,
      signals: [
        {
          key: 'login',
          level,
          score: problem === null ? 100 : 0,
          facts: problem === null ? {} : { problem },
        },
      ],
      checkedAt: clock.now(),
    }
    await db.transaction().execute(async (trx) => {
      if (!(await updateChecked(trx, account.id, checked))) return
      await wakeRunners(trx, { workspace: account.workspace })
    })
  }

  async function login(account: ConnectionRow): Promise<string | null> {
    try {
      const session = await openAccount(deps, account)
      session.close()
      return null
    } catch (error) {
      if (error instanceof MailTrouble) return error.code
      throw error
    }
  }

  async function answer(operation: string, workspace: string) {
    const now = clock.now()
    const { timezone } = await db
      .selectFrom('workspaces')
      .select('timezone')
      .where('id', '=', workspace)
      .executeTakeFirstOrThrow()
    const rows = await listSenderHealth(db, workspace, {
      day: dayIn(timezone, now),
      monday: mondayIn(timezone, now),
    })
    await endOperation(
      db,
      operation,
      { state: 'done', result: presentHealth(rows, limitsOf), status: 200 },
      now,
    )
  }
}
