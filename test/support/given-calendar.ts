import { ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Context } from 'mocha'
import { enqueueStart } from '../../db/operations/outbox.ts'
import { applyWorkspaceFile } from '../../dev/operator/workspace-apply.ts'
import { secretKey } from './given.ts'
import { runFolder } from './hooks.ts'
import { testMail } from './mail.ts'
import { newCalendar, testRadicale } from './radicale.ts'
import { eventually, sharedService, startService } from './service.ts'

// The service beside a real calendar server, with a calendar on it for each workspace.

export type Meeting = {
  id: string
  title: string
  calendar: string
  own: boolean
  start: string
  state: string
}
export type Calendars = Awaited<ReturnType<typeof startCalendars>>

const demo = { title: 'Demo', day: '2026-11-24', start: '10:00', minutes: 30 }

type Crash = (point: string) => void

/**
 * Makes the suite pending where Python is missing. `crashes`: the service is the caller's own, because it may end an attempt at a
 * point, as a worker's death would; another attempt follows. `mailboxes`: so it is too, and reads the mail of its accounts.
 */
export async function startCalendars(
  context: Context | undefined,
  { crashes = false, mailboxes = false } = {},
) {
  const port = await testRadicale(context)
  const mail = await testMail()
  const servers: Server[] = []
  let crash: Crash = () => {}
  const own = crashes || mailboxes ? await startService() : undefined
  await own?.work(
    context,
    { crash: (point) => crash(point), ...(mailboxes && { mailWaitMs: 300 }) },
    { only: ['rows', 'send', 'remote', ...(mailboxes ? (['mail'] as const) : [])] },
  )
  const service = own ?? (await sharedService(context))

  return {
    service,
    room,
    between,
    /** Until it is told otherwise, or until nothing is said. */
    crashAt(next: Crash = () => {}) {
      crash = next
    },
    async close() {
      for (const server of servers) server.close()
      await own?.close()
    },
  }

  /**
   * A workspace whose member has a calendar on that server, as described in the operator's file: at the address that `through`
   * makes of its own.
   */
  async function room(through = (url: string) => url) {
    const server = await newCalendar(port)
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { id, member, call } = workspace
    const calendar = `work_${id.slice(4)}`
    const path = join(runFolder(), `${id}.yml`)
    const { user, password } = server
    const caldav = `{ url: "${through(server.url)}", user: ${user}, password: "\${CALDAV_PASSWORD}" }`
    writeFileSync(
      path,
      `workspace: { id: ${id}, name: Test, timezone: Europe/Berlin }
members: [{ id: ${member}, name: Ana Ruiz, email: ana@us.example }]
calendars: [{ id: ${calendar}, name: Work, member: ${member}, caldav: ${caldav} }]
`,
    )
    const apply = () =>
      applyWorkspaceFile(service.db, {
        path,
        secretKey,
        now: service.clock.now(),
        env: { CALDAV_PASSWORD: password },
      })
    ok('changes' in (await apply()))
    const row = () =>
      service.db
        .selectFrom('calendars')
        .selectAll()
        .where('id', '=', calendar)
        .executeTakeFirstOrThrow()
    const guest = `kim-${id}@client.example`.toLowerCase()
    const list = async (query = ''): Promise<Meeting[]> =>
      (await call('GET', `/calendar${query}`)).body.meetings
    return {
      ...workspace,
      server,
      calendar,
      apply,
      row,
      list,
      book: (more: object = {}, key: string = randomUUID()) =>
        call(
          'POST',
          '/calendar/meetings',
          { ...demo, calendar, guests: [guest], ...more },
          { key },
        ),
      cancel: (meeting: string) => call('DELETE', `/calendar/meetings/${meeting}`),
      mails: () => mail.messages().filter(({ to }) => to.includes(guest)),
      /** Runs what the schedule runs, and waits until it is done. */
      async synced() {
        const { syncedAt } = await row()
        await enqueueStart(service.db, {
          type: 'syncCalendars',
          workflowId: randomUUID(),
          args: [],
          attributes: {},
        })
        await eventually(row, (now) => Number(now.syncedAt) > Number(syncedAt), 30_000)
      },
    }
  }

  /** A server before Radicale that may answer for it; `lost` lets the request through and hangs up instead of answering. */
  async function between(
    answer: (method: string) => number | 'lost' | undefined = () => undefined,
  ) {
    const server = createServer((incoming, outgoing) => {
      const instead = answer(incoming.method ?? '')
      if (typeof instead === 'number') return void outgoing.writeHead(instead).end()
      const { method, headers, url: path } = incoming
      const onward = request({ host: '127.0.0.1', port, method, headers, path }, (from) => {
        if (instead === 'lost') return incoming.socket.destroy()
        outgoing.writeHead(from.statusCode ?? 502, from.headers)
        from.pipe(outgoing)
      })
      incoming.pipe(onward)
    })
    const listen = (at: number) =>
      new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
    await listen(0)
    servers.push(server)
    const { port: own } = server.address() as AddressInfo
    return {
      through: (url: string) => atPort(url, own),
      /** Nothing listens there until it is started again. */
      stop: () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
      restart: () => listen(own),
    }
  }
}

/** The same address on another port of this machine. */
export const atPort = (url: string, port: number) =>
  new URL(new URL(url).pathname, `http://127.0.0.1:${port}`).href
