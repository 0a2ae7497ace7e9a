import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from 'mocha'
import { notice } from '../../dev/operator/progress.ts'
import { freePort, waitForPort } from '../../dev/stack/ports.ts'
import { end, reap } from '../../dev/stack/processes.ts'
import { atEnd, runFolder } from './hooks.ts'
import { findRadicale, RadicaleMissing } from './radicale-find.ts'

// Radicale, a CalDAV server, from PyPI.

const user = 'ana'
const password = 'secret'

/**
 * A server for one test on a free port, with one empty calendar at `url`. `stop` and `restart` make it unavailable for a while.
 * Makes the suite pending where Python is missing.
 */
export async function testRadicale(context: Context) {
  const python = await findRadicale(notice).catch((error: unknown) => {
    if (error instanceof RadicaleMissing) context.skip()
    throw error
  })
  const folder = mkdtempSync(join(runFolder(), 'radicale-'))
  writeFileSync(join(folder, 'users'), `${user}:${password}\n`)
  mkdirSync(join(folder, 'collections'))
  const port = await freePort()
  const options = {
    'server-hosts': `127.0.0.1:${port}`,
    'auth-type': 'htpasswd',
    'auth-htpasswd-filename': join(folder, 'users'),
    'auth-htpasswd-encryption': 'plain',
    'storage-filesystem-folder': join(folder, 'collections'),
    'logging-level': 'critical',
  }
  const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`)
  let child = start()
  const stop = () => end(child.pid as number, 'SIGTERM', 3000)
  atEnd(stop)
  await waitForPort(port)

  const url = `http://127.0.0.1:${port}/${user}/work/`
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const request = (method: string, path = '', body?: string) =>
    fetch(new URL(path, url), { method, headers: { authorization }, ...(body && { body }) })
  await request('MKCALENDAR')

  return {
    url,
    user,
    password,
    stop,
    async restart() {
      child = start()
      await waitForPort(port)
    },
    /** The iCalendar texts of what is in the calendar. */
    async events(): Promise<string[]> {
      const text = await (await request('GET')).text()
      return text.match(/BEGIN:VEVENT[\s\S]*?END:VEVENT/g) ?? []
    },
    /** Puts an event there, as another program would; the lines of its VEVENT. */
    async put(uid: string, lines: string[]) {
      const body = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:another', 'BEGIN:VEVENT']
      body.push(`UID:${uid}`, 'DTSTAMP:20261101T000000Z', ...lines, 'END:VEVENT', 'END:VCALENDAR')
      const { ok, status } = await request('PUT', `${uid}.ics`, `${body.join('\r\n')}\r\n`)
      if (!ok) throw new Error(`Radicale answered ${status}`)
    },
    /** Deletes one, as another program would. */
    remove: (uid: string) => request('DELETE', `${encodeURIComponent(uid)}.ics`),
  }

  function start() {
    const started = spawn(python, ['-m', 'radicale', ...args], { stdio: 'ignore' })
    reap(started)
    return started
  }
}
