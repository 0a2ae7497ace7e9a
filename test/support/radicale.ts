import { randomUUID } from 'node:crypto'
import type { Context } from 'mocha'
import { RadicaleMissing, radicaleUser, startRadicale } from '../runner/radicale.ts'
import { given } from '../runner/servers.ts'
import { waited } from '../runner/waits.ts'
import { atExit, runFolder } from './hooks.ts'

let shared: Promise<{ port: number }> | undefined

/** The port of the run's CalDAV server. Makes the suite pending where Python is missing. */
export async function testRadicale(context: Context | undefined): Promise<number> {
  shared ??= findServer()
  const { port } = await shared.catch((error: unknown) => {
    if (context && error instanceof RadicaleMissing) context.skip()
    throw error
  })
  return port
}

async function findServer() {
  if (given?.radicale) return given.radicale
  if (given) throw new RadicaleMissing('This run has no calendar server.')
  const server = await waited('servers', startRadicale(runFolder()))
  atExit(server.stop)
  return server
}

/** An empty calendar of the caller's own on the server at this port. */
export async function newCalendar(port: number) {
  const { user, password } = radicaleUser
  const url = `http://127.0.0.1:${port}/${user}/${randomUUID()}/`
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const request = (method: string, path = '', body?: string) =>
    fetch(new URL(path, url), { method, headers: { authorization }, ...(body && { body }) })
  await request('MKCALENDAR')
  return {
    url,
    user,
    password,
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
}
