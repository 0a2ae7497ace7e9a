import { parseArgs } from 'node:util'
import { openClock } from '../../db/clock.ts'
import { loadConfig, readStack } from '../../process/config.ts'
import { fail, withDatabase } from './commands.ts'
import { accountsLeaving } from './outside-accounts.ts'
import { applyWorkspaceFile } from './workspace-apply.ts'
import { inTerminal } from './workspace-file.ts'

// npm run workspace -- apply FILE.yml [--plan]: makes a workspace match the file. Prints one line per change on
// stdout.

const usage = 'npm run workspace -- apply FILE.yml [--plan]'

const config = loadConfig()
const { plan, path } = read()
// The panel of a running `npm start` may have promised that no letter leaves this machine.
const sinkPort = Number(readStack(config.dataDir)['MAIL_SMTP_PORT'])
await withDatabase(config, async (db) => {
  // A plan writes nothing, so it does not fix the clock either.
  const clock = await openClock(db, plan ? undefined : config.clock)
  const outcome = await applyWorkspaceFile(db, {
    path,
    env: { ...readStack(config.dataDir), ...process.env },
    secretKey: config.secretKey,
    now: clock.now(),
    plan,
  })
  if (outcome.problems) fail(...outcome.problems.map(inTerminal))
  for (const line of outcome.changes) console.log(line)
  const done = plan ? 'would change' : 'changed'
  const count = outcome.changes.filter((line) => !line.startsWith('!')).length
  console.error(`${outcome.workspace}: ${count === 0 ? 'nothing' : count} ${done}.`)
  if (sinkPort && !plan)
    for (const { workspace, account, to } of await accountsLeaving(db, sinkPort))
      if (workspace === outcome.workspace)
        console.error(`${account} sends through ${to}, not to the mail page of npm start.`)
})

function read() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { plan: { type: 'boolean', default: false } },
    })
    const [verb, path, ...rest] = positionals
    if (verb === 'apply' && path && rest.length === 0) return { path, plan: values.plan }
  } catch (error) {
    fail((error as Error).message, usage)
  }
  return fail(usage)
}
