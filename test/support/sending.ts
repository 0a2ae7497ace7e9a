import { randomUUID } from 'node:crypto'
import type { Context } from 'mocha'
import { givenCampaign } from './given-campaign.ts'
import { testMail } from './mail.ts'
import { eventually, startService, type TestService } from './service.ts'
import { type Row, scriptedSmtp } from './smtp-server/server.ts'

/** A service whose accounts send through a scripted server: each logs in with the id of its connection. */
export async function startSending(context: Context, { workers = 1 } = {}) {
  const lines: string[] = []
  const logged = (line: string) => void lines.push(line)
  const [service, mail, server] = await Promise.all([
    startService({ logged }),
    testMail(),
    scriptedSmtp(),
  ])
  const taskQueue = `sending-${randomUUID()}`
  for (let worker = 0; worker < workers; worker++) await service.work(context, {}, { taskQueue })
  /** The warnings about an account. */
  const warnings = (connection: string) =>
    lines
      .map((line) => JSON.parse(line))
      .filter((line) => line.level === 40 && line.connection === connection)
  return { service, server, warnings, ...sendingOf(service, mail, server) }
}

export function sendingOf(
  service: TestService,
  mail: Awaited<ReturnType<typeof testMail>>,
  server: Awaited<ReturnType<typeof scriptedSmtp>>,
) {
  /** A campaign through the first `senders` accounts of a new workspace; `rows` are of the first. */
  async function campaignOf(people: number, senders = 1, given = {}) {
    const campaign = await givenCampaign(service, mail, { people, places: [1], ...given })
    const accounts = campaign.connections.slice(0, senders)
    for (const id of campaign.connections)
      await service.db
        .updateTable('connections')
        .set({ smtp: JSON.stringify(server.settings(id)) })
        .where('id', '=', id)
        .execute()
    await campaign.edit({ senders: accounts })
    const get = async (path: string) => (await campaign.call('GET', path)).body
    return {
      ...campaign,
      account: accounts[0] as string,
      /** What the servers have taken of the campaign: to whom. */
      taken: () =>
        server.letters
          .map(({ to }) => to[0] as string)
          .filter((to) => campaign.emails.includes(to)),
      channel: async (id = accounts[0]) =>
        (await get('/channels')).channels.find((one: { id: string }) => one.id === id),
      told: async () =>
        (await get('/notifications')).notifications.filter(
          ({ kind }: { kind: string }) => kind === 'sender.rests',
        ),
      /** Of the first letters. */
      states: async () =>
        (await get(`/campaigns/${campaign.campaign}/touches`)).touches
          .filter(({ place }: { place: number }) => place === 1)
          .map(({ state }: { state: string }) => state)
          .sort(),
      used: async () => {
        const { accounts } = await get('/senders/health')
        return accounts[0].used.day as number
      },
    }
  }
  return { campaignOf, until: eventually }
}

/** Rows for one account. */
export const rowsOf = (login: string, ...rows: Omit<Row, 'login'>[]): Row[] =>
  rows.map((row) => ({ login, ...row }))
