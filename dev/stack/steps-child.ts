import { temporalConnection } from '../../activities/worker/connection.ts'
import { onceAvailable, openDatabase } from '../../db/database.ts'
import { migrateToLatest } from '../../db/migrate.ts'
import { noteStart } from '../../db/operations/gauges.ts'
import type { Config } from '../../process/config.ts'
import { applyCluster } from '../operator/cluster.ts'
import { accountsLeaving } from '../operator/outside-accounts.ts'
import { applyWorkspace, firstMember, judgeWorkspace, startToken } from './demo-workspace.ts'
import { untilPolled, untilTemporalAnswers } from './temporal-answers.ts'

// The steps of `npm start` that ask Postgres or Temporal or read the workspace file, in a child of it (steps.ts).

const steps = {
  judgeWorkspace: async (file: string, env: NodeJS.ProcessEnv) => judgeWorkspace(file, env),
  migrate: async (url: string, role: string | undefined) => void (await migrateToLatest(url, role)),
  cluster: (config: Config) =>
    applyCluster(temporalConnection(config), config.temporal.namespace, () => {}),
  applyWorkspace,
  async token(file: string, dataDir: string, env: NodeJS.ProcessEnv, name?: string) {
    const who = firstMember(file)
    if (!who) return undefined
    return { name: who.name, token: await startToken(who, dataDir, env, name), of: who.workspace }
  },
  leaving: (url: string, smtpPort: number) =>
    onDatabase(url, (db) => accountsLeaving(db, smtpPort)),
  countRestart: (url: string, name: string) =>
    onDatabase(url, (db) =>
      onceAvailable(
        () => noteStart(db, name),
        () => {},
      ),
    ),
  untilTemporalAnswers: (address: string, namespace: string) =>
    untilTemporalAnswers(address, namespace),
  untilPolled,
}

export type Steps = typeof steps
type Asked = { id: number; name: keyof Steps; args: unknown[] }
export type Answered = { id: number; result?: unknown; problem?: string }

async function onDatabase<T>(
  url: string,
  work: (db: ReturnType<typeof openDatabase>) => Promise<T>,
) {
  const db = openDatabase(url, 1)
  return work(db).finally(() => db.destroy())
}

process.on('message', async ({ id, name, args }: Asked) => {
  const take = steps[name] as (...args: unknown[]) => Promise<unknown>
  const answer: Answered = await take(...args).then(
    (result) => ({ id, result }),
    (error) => ({ id, problem: error instanceof Error ? error.message : String(error) }),
  )
  process.send?.(answer)
})
process.on('disconnect', () => process.exit())
