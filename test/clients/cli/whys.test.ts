import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { newId } from '../../../db/ids.ts'
import { givenCampaign } from '../../support/campaigns.ts'
import { type CommandLine, commandLine } from '../../support/command-line.ts'
import { allScopes, startService, type TestService } from '../../support/service.ts'

type Room = Awaited<ReturnType<typeof givenCampaign>>

type Case = {
  by: string
  given: (room: Room) => Promise<unknown>
  what: RegExp
  who: RegExp
  until: RegExp
}

describe('postroom why', function () {
  this.timeout(120_000)
  let service: TestService
  let own: CommandLine
  before(async () => {
    service = await startService()
    own = commandLine()
  })
  after(() => service.close())

  const monday = '2026-11-23T09:00:00.000Z'
  const accounts = ({ workspace }: Room) =>
    service.db.updateTable('connections').where('workspace', '=', workspace)
  const running = async (room: Room) => {
    await room.move('running')
    await room.letters(true)
  }
  const hours = (room: Room, from: string, to: string) =>
    room.call('PATCH', `/agents/${room.agent}`, { hours: { from, to } })

  const you = /^You: /
  const nobody = /^Nobody has to act/
  const cases: Case[] = [
    {
      by: 'draft',
      given: async () => {},
      what: /has not been started/,
      who: /^You: complete it first\. .*Letter 1 is not agreed/,
      until: /until somebody starts it/,
    },
    {
      by: 'paused',
      given: async (room) => {
        await running(room)
        await room.move('paused')
      },
      what: /It is paused/,
      who: you,
      until: /until somebody resumes it/,
    },
    {
      by: 'done',
      given: async (room) => {
        await running(room)
        await room.move('done')
      },
      what: /has ended/,
      who: nobody,
      until: /For good/,
    },
    {
      by: 'held',
      given: async (room) => {
        await running(room)
        const { call } = await service.administration()
        await call('PATCH', `/workspaces/${room.workspace}`, { held: { why: 'Not paid' } })
      },
      what: /holds it: Not paid\.$/,
      who: /your operator/,
      until: /as soon as the hold ends/,
    },
    {
      by: 'weekend',
      given: async (room) => {
        await running(room)
        await service.clock.set('2026-11-28T10:00:00.000Z')
      },
      what: /weekend/,
      who: nobody,
      until: /by itself Mon 30 Nov, 00:00 \(Europe\/Berlin\)/,
    },
    {
      by: 'hours',
      given: async (room) => {
        await running(room)
        await hours(room, '03:00', '04:00')
      },
      what: /outside the agent's hours/,
      who: nobody,
      until: /by itself Tue 24 Nov, 03:00 \(Europe\/Berlin\)/,
    },
    {
      by: 'day_limit',
      given: async (room) => {
        await running(room)
        await accounts(room).set({ limitDay: 0 }).execute()
      },
      what: /the day's limit: .*@us\.example 0 of 0/,
      who: nobody,
      until: /Tue 24 Nov, 00:00/,
    },
    {
      by: 'week_limit',
      given: async (room) => {
        await running(room)
        await accounts(room).set({ limitWeek: 0 }).execute()
      },
      what: /the week's limit: .*@us\.example 0 of 0/,
      who: nobody,
      until: /Mon 30 Nov, 00:00/,
    },
    {
      by: 'gap',
      given: async (room) => {
        await running(room)
        const gap = { gapSeconds: 600, lastClaimAt: service.clock.now() }
        await accounts(room).set(gap).execute()
      },
      what: /gap/,
      who: nobody,
      until: /by itself Mon 23 Nov, 10:1\d/,
    },
    {
      by: 'review',
      given: (room) => room.move('running'),
      what: /^Letters are due whose place nobody has agreed to/,
      who: you,
      until: /until somebody agrees/,
    },
    {
      by: 'letter_not_agreed',
      given: async (room) => {
        await running(room)
        const { db } = service
        // Everybody has the first letter. The second is planned for later, and nobody has agreed to its place.
        const sentAt = service.clock.now()
        const later = new Date(sentAt.getTime() + 3 * 86_400_000)
        const of = { workspace: room.workspace, campaign: room.id, createdAt: sentAt }
        await db.deleteFrom('touches').where('campaign', '=', room.id).execute()
        await db
          .insertInto('touches')
          .values(
            ['Ada', 'Ben', 'Cem'].map(room.idOf).flatMap((person) => [
              { ...of, id: newId('tch'), person, place: 1, state: 'sent', dueAt: sentAt, sentAt },
              { ...of, id: newId('tch'), person, place: 2, state: 'queued', dueAt: later },
            ]),
          )
          .execute()
        await db
          .updateTable('campaignLetters')
          .set({ agreed: false })
          .where('campaign', '=', room.id)
          .where('place', '=', 2)
          .execute()
      },
      what: /are of place 2, and nobody has agreed/,
      who: you,
      until: /until somebody agrees/,
    },
    {
      by: 'health',
      given: async (room) => {
        await running(room)
        await accounts(room).set({ health: 'restricted' }).execute()
      },
      what: /health .*@us\.example is restricted/,
      who: /cares for the accounts/,
      until: /once one account is well/,
    },
    {
      by: 'no_sender',
      given: async (room) => {
        await running(room)
        await accounts(room).set({ alive: false, problem: 'smtp_unreachable' }).execute()
      },
      what: /no working account.*@us\.example \(smtp_unreachable\)/,
      who: /correct the account/,
      until: /once an account works/,
    },
    {
      by: 'no_agent',
      given: async (room) => {
        await running(room)
        await room.call('PATCH', `/agents/${room.agent}`, { enabled: false })
      },
      what: /agent is disabled/,
      who: /enable it/,
      until: /once the agent is enabled/,
    },
    {
      by: 'provider',
      given: async (room) => {
        await running(room)
        await accounts(room).set({ problem: 'smtp_unreachable' }).execute()
      },
      what: /cannot be reached.*@us\.example \(smtp_unreachable\)/,
      who: /the operator, if it stays/,
      until: /once the account answers again/,
    },
    {
      by: 'nobody_left',
      given: async (room) => {
        await running(room)
        const { db } = service
        await db.deleteFrom('touches').where('campaign', '=', room.id).execute()
        await db.deleteFrom('segmentPeople').where('segment', '=', room.segment).execute()
      },
      what: /segment is empty/,
      who: nobody,
      until: /when somebody joins the segment/,
    },
  ]

  for (const { by, given, what, who, until } of cases)
    it(`says what ${by} means, who has to act and until when`, async () => {
      await service.clock.set(monday)
      const room = await givenCampaign(service)
      await given(room)
      equal((await own.login(service.url, await room.tokenWith(allScopes))).code, 0)
      const why = await own.json(['why', room.id])
      deepEqual(Object.keys(why), [
        ...['campaign', 'name', 'state', 'now', 'blockedBy', 'nextAt'],
        ...['what', 'who', 'until', 'todo'],
      ])
      deepEqual([why.campaign, why.now, why.blockedBy], [room.id, false, by])
      match(why.what, what)
      match(why.who, who)
      match(why.until, until)
      const { code, out } = await own.run(['why', 'spring'])
      equal(code, 0)
      ok(out.includes(why.who) && out.includes(`[${by}]`), out)
      doesNotMatch(out, /undefined|null|NaN/)
      ok(!out.includes('\u001b'))
    })

  it('says that nothing holds one that sends', async () => {
    await service.clock.set(monday)
    const room = await givenCampaign(service)
    await running(room)
    await own.login(service.url, await room.tokenWith(allScopes))
    const why = await own.json(['why', room.id])
    equal(why.now, true)
    match(why.what, /^Nothing holds it/)
  })
})
