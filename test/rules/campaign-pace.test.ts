import { deepEqual, equal } from 'node:assert/strict'
import { type Facts, type Pace, paceOf } from '../../rules/pace.ts'
import { facts, sender, wednesday } from '../support/facts.ts'

const at = (iso: string) => new Date(iso)
const saturday = at('2026-11-28T10:00:00Z')
const night = at('2026-11-25T20:00:00Z')
const endsAt = at('2026-11-25T17:00:00Z')
const due = (connection: string | null, dueAt = '2026-11-25T09:00:00Z') => ({
  connection,
  dueAt: at(dueAt),
})
const disabled = { enabled: false, hours: (facts().agent as NonNullable<Facts['agent']>).hours }

describe('paceOf', () => {
  it('lets a letter go now', () => {
    deepEqual(paceOf(facts(), wednesday), {
      now: true,
      blockedBy: null,
      nextAt: wednesday,
      endsAt,
      senders: ['con_a'],
    })
  })

  // Each value by the facts that bring it about, with those of all later ones present too where they can be: so this is
  // the order of precedence as well.
  const used = sender('con_a', { usedDay: 50, usedWeek: 250, lastClaimAt: wednesday })
  const nobody = { queued: [], senders: [used] }
  const cases: [
    what: string,
    given: Partial<Facts>,
    now: Date,
    expected: [blockedBy: Pace['blockedBy'], nextAt: string | null, endsAt?: string],
  ][] = [
    ['a draft', { state: 'draft', agent: null, senders: [] }, saturday, ['draft', null]],
    ['a paused one', { state: 'paused', agent: null, senders: [] }, saturday, ['paused', null]],
    ['one that is done', { state: 'done', agent: null, senders: [] }, saturday, ['done', null]],
    ['no agent', { agent: null, senders: [] }, saturday, ['no_agent', null]],
    ['a disabled agent', { agent: disabled, senders: [] }, saturday, ['no_agent', null]],
    ['no account', { senders: [], queued: [] }, saturday, ['no_sender', null]],
    [
      'no living account',
      { senders: [sender('con_a', { alive: false, health: 'blocked' })] },
      saturday,
      ['no_sender', null],
    ],
    [
      'a restricted account',
      { senders: [sender('con_a', { health: 'restricted' })], queued: [] },
      saturday,
      ['health', null],
    ],
    [
      'a blocked account beside a dead one',
      { senders: [sender('con_a', { health: 'blocked' }), sender('con_b', { alive: false })] },
      wednesday,
      ['health', null],
    ],
    ['nobody to write to', nobody, saturday, ['nobody_left', null]],
    [
      'letters of a place that is not agreed',
      { ...nobody, notAgreed: true },
      saturday,
      ['letter_not_agreed', null],
    ],
    ['a weekend', { senders: [used] }, saturday, ['weekend', '2026-11-30T08:00Z']],
    ['the night', { senders: [used] }, night, ['hours', '2026-11-26T08:00Z']],
    [
      'letters to be agreed',
      { queued: [], unagreed: 3, senders: [used] },
      wednesday,
      ['review', null, '17:00'],
    ],
    [
      'letters to be agreed, and one due tomorrow at noon',
      { queued: [due('con_a', '2026-11-26T11:00:00Z')], unagreed: 3 },
      wednesday,
      ['review', '2026-11-26T11:00Z', '17:00'],
    ],
    [
      'the next letter on Saturday',
      { queued: [due('con_a', '2026-11-28T09:00:00Z')], senders: [used] },
      wednesday,
      ['nobody_left', '2026-11-30T08:00Z', '17:00'],
    ],
    [
      'a letter bound to an account that is gone',
      { queued: [due('con_gone')] },
      wednesday,
      ['no_sender', null, '17:00'],
    ],
    [
      'a letter bound to an account that is restricted',
      {
        queued: [due('con_b')],
        senders: [sender('con_a'), sender('con_b', { health: 'restricted' })],
      },
      wednesday,
      ['health', null, '17:00'],
    ],
    [
      'the week used up',
      { senders: [used] },
      wednesday,
      ['week_limit', '2026-11-30T08:00Z', '17:00'],
    ],
    [
      'the day used up',
      { senders: [sender('con_a', { usedDay: 50, lastClaimAt: wednesday })] },
      wednesday,
      ['day_limit', '2026-11-26T08:00Z', '17:00'],
    ],
    [
      'a letter that is being sent',
      { senders: [sender('con_a', { isSending: true, lastClaimAt: wednesday })] },
      wednesday,
      ['in_flight', '2026-11-25T10:10Z', '17:00'],
    ],
    [
      'the gap',
      { senders: [sender('con_a', { lastClaimAt: at('2026-11-25T09:59:50Z') })] },
      wednesday,
      ['gap', '2026-11-25T10:00:20.000Z', '17:00'],
    ],
    [
      'trouble with the server',
      { senders: [sender('con_a', { problem: 'smtp_unreachable' })] },
      wednesday,
      ['provider', null, '17:00'],
    ],
    [
      'follow-ups alone are due, and the mailbox has not been read',
      { queued: [], unseen: true },
      wednesday,
      ['provider', null, '17:00'],
    ],
    [
      'they are due, and another letter is later',
      {
        queued: [{ connection: 'con_a', dueAt: at('2026-11-25T12:00:00Z') }],
        unseen: true,
      },
      wednesday,
      ['provider', '2026-11-25T12:00Z', '17:00'],
    ],
    [
      'they are due, and others are not agreed',
      { queued: [], unagreed: 1, unseen: true },
      wednesday,
      ['review', null, '17:00'],
    ],
  ]
  for (const [what, given, now, [blockedBy, nextAt, ends]] of cases)
    it(`is held by ${blockedBy}: ${what}`, () => {
      const pace = paceOf(facts(given), now)
      const short = (date: Date | null) =>
        date === null ? null : date.toISOString().replace(':00.000Z', 'Z')
      deepEqual(
        { blockedBy: pace.blockedBy, nextAt: short(pace.nextAt), endsAt: short(pace.endsAt) },
        { blockedBy, nextAt, endsAt: ends ? `2026-11-25T${ends}Z` : null },
      )
      equal(pace.now, false)
    })

  const goes: [what: string, given: Partial<Facts>, senders: string[]][] = [
    ['people who have no letter yet', { queued: [], unplanned: 1 }, ['con_a']],
    ['what is due beside follow-ups that wait for a mailbox', { unseen: true }, ['con_a']],
    ['a letter in flight', { queued: [], inFlight: 1 }, ['con_a']],
    [
      'an account with most of its day left first',
      { senders: [sender('con_a', { usedDay: 9 }), sender('con_b', { usedDay: 3 })] },
      ['con_b', 'con_a'],
    ],
    [
      'without the account that is in trouble',
      { senders: [sender('con_a', { problem: 'smtp_tls' }), sender('con_b', { usedDay: 40 })] },
      ['con_b'],
    ],
    [
      'an account that is free beside one that is not',
      { senders: [sender('con_a', { usedDay: 50 }), sender('con_b')] },
      ['con_b'],
    ],
    ['an unknown health', { senders: [sender('con_a', { health: 'unknown' })] }, ['con_a']],
    [
      'a letter by the account it is bound to',
      { queued: [due('con_b')], senders: [sender('con_a'), sender('con_b')] },
      ['con_b'],
    ],
    [
      'first letters by any account while a follow-up waits for its own',
      {
        queued: [due('con_b'), due(null)],
        senders: [sender('con_a'), sender('con_b', { usedDay: 50 })],
      },
      ['con_a'],
    ],
    ['what is due although the rest is to be agreed', { unagreed: 5 }, ['con_a']],
  ]
  for (const [what, given, senders] of goes)
    it(`continues: ${what}`, () => {
      const pace = paceOf(facts(given), wednesday)
      deepEqual([pace.now, pace.blockedBy, pace.senders], [true, null, senders])
    })

  it('waits for the first account to become free, and then until the hours open', () => {
    const senders = [sender('con_a', { usedWeek: 250 }), sender('con_b', { usedDay: 50 })]
    const friday = at('2026-11-27T10:00:00Z')
    const pace = paceOf(facts({ senders }), friday)
    equal(pace.blockedBy, 'day_limit')
    equal(pace.nextAt?.toISOString(), '2026-11-30T08:00:00.000Z')
  })

  it("counts the week in the workspace's zone and opens in the agent's", () => {
    // Monday in Auckland, Sunday in New York: the week of the budget ends five hours into the agent's Tuesday night.
    const hours = { zone: 'Pacific/Auckland', from: '09:00', to: '17:00', daysOff: [] }
    const given = {
      zone: 'America/New_York',
      agent: { enabled: true, hours },
      senders: [sender('con_a', { usedWeek: 250 })],
      queued: [due(null)],
    }
    const pace = paceOf(facts(given), at('2026-11-29T21:00:00Z'))
    equal(pace.blockedBy, 'week_limit')
    equal(pace.nextAt?.toISOString(), '2026-11-30T20:00:00.000Z')
  })
})
