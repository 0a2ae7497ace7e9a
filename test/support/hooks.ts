import { rm } from 'node:fs/promises'
import { notice } from '../../dev/operator/progress.ts'
import { findGreenMail } from '../../dev/stack/greenmail.ts'
import { findTemporal } from '../../dev/stack/temporal.ts'
import { findRadicale } from '../runner/radicale.ts'
import { temporaryFolder } from '../runner/servers.ts'
import { takeRefusals } from './isolation/record.ts'
import { takeSecondConnections } from './second-connection.ts'
import { findTimeSkippingServer } from './time-skipping-server.ts'

// What tests start is ended here. A process that is killed leaves nothing either: the children and the folder go with it
// (dev/stack/processes.ts).

type Close = () => Promise<unknown>
const ofFile: Close[] = []
const ofProcess: Close[] = []
let folder: string | undefined

/** Runs when the tests of the file are done, the last one first. */
export const atEnd = (close: Close) => void ofFile.push(close)
/** Runs when the process ends: for what its files share. */
export const atExit = (close: Close) => void ofProcess.push(close)

/** What every statement of a run is held against besides: each answers what is wrong. */
const checks: (() => Promise<string[]>)[] = []
export const atEndOfFile = (check: () => Promise<string[]>) => void checks.push(check)

async function closeAll(closers: Close[]) {
  for (const close of closers.splice(0).reverse())
    await close().catch((error) => notice(String(error)))
}

/** To be called after each file. */
export const endFile = () => closeAll(ofFile)

/** A folder of this process, which Postgres's own user may enter too. */
export function runFolder(): string {
  folder ??= temporaryFolder()
  return folder
}

// Done here, where no time limit applies: on a new machine the servers are downloaded or built first.
// A server that is not available makes its suites pending, each by name.
export async function mochaGlobalSetup() {
  await findTemporal(notice).catch((error: Error) => notice(error.message))
  await findTimeSkippingServer(notice).catch((error: Error) => notice(error.message))
  await findGreenMail(notice).catch((error: Error) => notice(error.message))
  await findRadicale(notice).catch((error: Error) => notice(error.message))
}

export const mochaHooks = {
  /** Every statement of the run has known its workspace, no transaction has waited for a second connection, and no large table was read whole. */
  async afterAll(this: { timeout(ms: number): void }) {
    this.timeout(120_000)
    const told = (what: string, wrong: string[]) =>
      wrong.length === 0 ? [] : [[what, ...wrong].join('\n\n')]
    const all = [
      ...told('Transactions that take a second connection:', takeSecondConnections()),
      ...told(
        'Statements that know no workspace (isolation/exceptions.ts has what may):',
        takeRefusals(),
      ),
      ...(await Promise.all(checks.map((check) => check()))).flat(),
    ]
    if (all.length > 0) throw new Error(all.join('\n\n'))
  },
}

export async function mochaGlobalTeardown() {
  await endFile()
  await closeAll(ofProcess)
  if (folder) await rm(folder, { recursive: true, force: true })
}
