import { deepEqual } from 'node:assert/strict'
import { type Asked, type Obstacles, type Ruling, rulingOn } from '../../rules/claim.ts'

const now = new Date('2026-11-23T09:00:00Z')
const hours = { zone: 'Europe/Berlin', from: '09:00', to: '17:00', daysOff: ['sat', 'sun'] }

const nothing: Obstacles = {
  isStopped: false,
  refusal: undefined,
  isTheirs: true,
  isHeld: false,
  agreement: 'agreed',
  isWrittenTo: false,
  usedDay: 0,
  usedWeek: 0,
  isBehind: false,
  agent: { enabled: true, hours },
  isSender: true,
  isResting: false,
}
const account: Asked['account'] = {
  id: 'con_1',
  health: 'ok',
  limitDay: 50,
  limitWeek: 250,
  gapSeconds: 60,
  lastClaimAt: null,
  restsUntil: null,
}

type Case = [name: string, ruling: Ruling['do'], found: Partial<Obstacles>, asked?: Partial<Asked>]
const cases: Case[] = [
  ['to whom nothing forbids it goes', 'go', {}],
  ['to somebody who has refused it fails', 'fail', { refusal: 'unsubscribed' }],
  ['to an address that is no longer theirs gets another one', 'readdress', { isTheirs: false }],
  ['to somebody who is away waits with them', 'hold', { isHeld: true }],
  ['that nobody has agreed to is reviewed', 'review', { agreement: 'open' }],
  ['of an earlier brief is written again', 'forget', { agreement: 'old' }],
  ['to somebody who had one today goes tomorrow', 'postpone', { isWrittenTo: true }],
  ['of an account that has used its day waits', 'wait', { usedDay: 50 }],
  ['of an account that has used its week waits', 'wait', { usedWeek: 250 }],
  ['of an account that rests waits', 'wait', { isResting: true }],
  [
    'that follows one waits for an answer that may be unread',
    'wait',
    { isBehind: true },
    { place: 2 },
  ],
  ['that is the first waits for no answer', 'go', { isBehind: true }],
  ['of an account that the campaign has left waits', 'wait', { isSender: false }],
  ['of a campaign without an agent waits', 'wait', { agent: null }],
  ['of an agent that is switched off waits', 'wait', { agent: { enabled: false, hours } }],
  [
    'of an account that may not write to people waits',
    'wait',
    {},
    { account: { ...account, health: 'blocked' } },
  ],
  [
    'within the gap of its account waits',
    'wait',
    {},
    { account: { ...account, lastClaimAt: new Date(now.getTime() - 59_000) } },
  ],
]

describe('a letter of a campaign, when it is claimed,', () => {
  for (const [name, ruling, found, asked] of cases)
    it(name, () => {
      const { do: done } = rulingOn(
        { ...nothing, ...found },
        { place: 1, account, zone: 'Europe/Berlin', ...asked },
        now,
      )
      deepEqual(done, ruling)
    })

  it('says why it never goes, whatever else stands in its way', () => {
    const everything: Obstacles = {
      ...nothing,
      ...{
        refusal: 'replied',
        isTheirs: false,
        isHeld: true,
        agreement: 'open',
        isWrittenTo: true,
      },
    }
    deepEqual(rulingOn(everything, { place: 1, account, zone: 'UTC' }, now), {
      do: 'fail',
      reason: 'replied',
    })
  })

  it('outside the hours of its agent waits', () => {
    const night = new Date('2026-11-23T02:00:00Z')
    const asked = { place: 1, account, zone: 'Europe/Berlin' }
    deepEqual(rulingOn(nothing, asked, night).do, 'wait')
  })
})
