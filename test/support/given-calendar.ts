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
import { testRadicale } from './radicale.ts'
import { eventually, startService } from './service.ts'

// The service beside a real calendar server, an empty one for each test.

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

/** Makes the suite pending where Python is missing. */
export async function startCalendars(context: Context) {
  let radicale = await testRadicale(context)
  const service = await startService()
  const mail = await testMail()
  const servers: Server[] = []
  // Ends an attempt at a point, as a worker's death would; another attempt follows.
  let crash: (point: string) => void = () => {}
  await service.work(context, { crash: (point) => crash(point) })

  return {
    service,
    room,
    between,
    server: () => radicale,
    crashAt(next: (point: string) => void) {
      crash = next
    },
    /** An empty server for the next test. */
    async renew() {
      crash = () => {}
      await radicale.stop()
      radicale = await testRadicale(context)
    },
    async close() {
      for (const server of servers) server.close()
      await service.close()
      await radicale.stop()
    },
  }

  /** A workspace whose member has a calendar on that server, as described in the operator's file. */
  async function room(url = radicale.url) {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { id, member, call } = workspace
    const calendar = `work_${id.slice(4)}`
    const path = join(runFolder(), `${id}.yml`)
    const { user, password } = radicale
    const caldav = `{ url: "${url}", user: ${user}, password: "\${CALDAV_PASSWORD}" }`
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
  async function between(answer: (method: string) => number | 'lost' | undefined) {
    const server = createServer((incoming, outgoing) => {
      const instead = answer(incoming.method ?? '')
      if (typeof instead === 'number') return void outgoing.writeHead(instead).end()
      const url = new URL(incoming.url ?? '', radicale.url)
      const onward = request(
        url,
        { method: incoming.method, headers: incoming.headers },
        (from) => {
          if (instead === 'lost') return incoming.socket.destroy()
          outgoing.writeHead(from.statusCode ?? 502, from.headers)
          from.pipe(outgoing)
        },
      )
      incoming.pipe(onward)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    const { port } = server.address() as AddressInfo
    return new URL(new URL(radicale.url).pathname, `http://127.0.0.1:${port}`).href
  }
}
