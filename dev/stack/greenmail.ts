import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Log, step } from '../operator/progress.ts'
import { type Child, startChild } from './children.ts'
import { openLog } from './logs.ts'
import { firstFree, loopback, waitForPort } from './ports.ts'
import { cached, cacheFolder, output, succeed } from './tools.ts'

/** Whether a Java of at least this version is on the PATH. */
export async function hasJava(oldest: number): Promise<boolean> {
  const printed = (await output('java', ['-version'])) ?? ''
  return Number(/version "(\d+)/.exec(printed)?.[1] ?? 0) >= oldest
}

export const hasMaven = async () => (await output('mvn', ['--version'])) !== undefined

/** Runs Maven quietly. @throws Error with what it printed. */
export const maven = (args: string[]) =>
  succeed(spawn('mvn', ['-B', '-q', ...args], { stdio: ['ignore', 'ignore', 'pipe'] }))

/** A jar from Maven Central in the user's cache, named as group:artifact:version. */
function jar(coordinates: string, say: Log): Promise<string> {
  const [, artifact, version] = coordinates.split(':')
  const name = `${artifact}-${version}.jar`
  return cached(name, (draft) =>
    step(
      `${name} from Maven, once for this user`,
      async () => {
        const folder = join(draft, 'jar')
        mkdirSync(folder)
        await maven(['dependency:copy', `-Dartifact=${coordinates}`, `-DoutputDirectory=${folder}`])
        return join(folder, name)
      },
      say,
    ),
  )
}

// GreenMail: a real SMTP and IMAP server that creates a mailbox for every address it meets. It keeps mail in memory
// only.

// 2.1.5 loops forever on a connection that was cut.
const version = '2.1.8'
const coordinates = `com.icegreen:greenmail-standalone:${version}`
const oldestJava = 11

/** Java is missing, or Maven to download the server with. */
export class GreenMailMissing extends Error {}

/** @throws GreenMailMissing saying what to install. */
export async function findGreenMail(say: Log): Promise<string> {
  if (!(await hasJava(oldestJava)))
    throw new GreenMailMissing(`Mailboxes need Java ${oldestJava} or later.`)
  const place = join(cacheFolder, `greenmail-standalone-${version}.jar`)
  if (!existsSync(place) && !(await hasMaven()))
    throw new GreenMailMissing('Mailboxes need mvn once, to download their server.')
  return jar(coordinates, say)
}

export type GreenMail = Child & { smtpPort: number; imapPort: number }

export type GreenMailOptions = {
  folder: string
  imapPort?: number | undefined
  say: Log
  onPid?: (pid: number) => void
  /** Called before every start, also after a death: the server starts empty. */
  onStart?: () => void
}

/** Starts it on loopback; it accepts any password, and the user is the whole address. */
export async function startGreenMail(options: GreenMailOptions): Promise<GreenMail> {
  const { folder, say, onPid, onStart } = options
  const path = await findGreenMail(say)
  const smtpPort = await firstFree()
  const imapPort = await firstFree(options.imapPort)
  const listen = (protocol: string, port: number) => [
    `-Dgreenmail.${protocol}.hostname=${loopback}`,
    `-Dgreenmail.${protocol}.port=${port}`,
  ]
  const child = await startChild({
    name: 'mailboxes',
    prepare: async () => {
      onStart?.()
      return {
        command: 'java',
        args: [
          '-XX:TieredStopAtLevel=1',
          '-XX:+UseSerialGC',
          // Its heap shrinks to what the mail in it needs.
          ...['-Xms8m', '-XX:MinHeapFreeRatio=10', '-XX:MaxHeapFreeRatio=20'],
          ...listen('smtp', smtpPort),
          ...listen('imap', imapPort),
          // It would write every byte of a head that is not UTF-8 as a replacement character.
          '-Dmail.mime.allowutf8=false',
          '-Dgreenmail.auth.disabled',
          '-Dgreenmail.users.login=email',
          '-jar',
          path,
        ],
      }
    },
    ready: async (signal) => {
      await waitForPort(smtpPort, { signal })
      await waitForPort(imapPort, { signal })
    },
    graceMs: 3_000,
    log: openLog(join(folder, 'logs', 'mailboxes.log'), 'mailboxes', say),
    say,
    ...(onPid && { onPid }),
  })
  return { ...child, smtpPort, imapPort }
}
