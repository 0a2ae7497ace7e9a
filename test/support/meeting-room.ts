import { equal } from 'node:assert/strict'
import { givenMailboxes, mailProgram } from './inbox.ts'
import type { MailSink } from './mail.ts'
import type { TestMailboxes } from './mailboxes.ts'
import { eventually, type TestService } from './service.ts'

// A workspace that books meetings and is invited to them, and a guest with a calendar program.

type Servers = { service: TestService; mailboxes: TestMailboxes; sink: MailSink }

/** A workspace whose mail goes to the sink and comes in through a mailbox. */
export async function meetingRoom({ service, mailboxes, sink }: Servers) {
  const workspace = await service.workspace({ smtpPort: sink.smtpPort })
  const { id, call, connections } = workspace
  await givenMailboxes(service, mailboxes, connections.slice(0, 1))
  const { account } = await service.db
    .selectFrom('connections')
    .select('account')
    .where('id', '=', connections[0] ?? '')
    .executeTakeFirstOrThrow()
  const guest = `kim-${id}@client.example`.toLowerCase()
  const send = mailProgram(mailboxes)
  const calendar = (method: string, lines: string[], from = guest, text = '', subject = 'Demo') =>
    send({
      ...{ from: { name: 'Kim Roth', address: from }, to: account, subject, text },
      icalEvent: {
        method,
        content: [
          ...['BEGIN:VCALENDAR', 'VERSION:2.0', `METHOD:${method}`, 'BEGIN:VEVENT'],
          ...[...lines, 'END:VEVENT', 'END:VCALENDAR', ''],
        ].join('\r\n'),
      },
    })
  const messages = async () => {
    const { conversations } = (await call('GET', '/conversations')).body
    const all = conversations.map(({ id }: { id: string }) =>
      call('GET', `/conversations/${id}/messages`),
    )
    return (await Promise.all(all)).flatMap(({ body }) => body.messages)
  }
  return {
    ...workspace,
    ...{ account, guest, calendar, messages },
    mails: (to = guest) => sink.messages().filter((mail) => mail.to.includes(to)),
    arrived: (n: number, to = guest) =>
      eventually(
        async () => sink.messages().filter((mail) => mail.to.includes(to)),
        (all) => all.length === n,
        30_000,
      ),
    async book(more: object = {}) {
      const demo = { title: 'Demo', day: '2026-11-25', start: '10:00', minutes: 30 }
      const { status, body, text } = await call('POST', '/calendar/meetings', {
        ...{ ...demo, guests: [guest], ...more },
      })
      equal(status, 200, text)
      return body
    },
    meeting: async (id: string) => (await call('GET', `/calendar/meetings/${id}`)).body,
  }
}
