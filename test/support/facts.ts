import type { Sender } from '../../rules/budgets.ts'
import type { Facts } from '../../rules/pace.ts'

// A campaign that may write now, and what a test changes about it.

/** A healthy account with the usual limits that has sent nothing yet. */
export const sender = (id: string, given: Partial<Sender> = {}): Sender => ({
  id,
  alive: true,
  health: 'normal',
  problem: null,
  limitDay: 50,
  limitWeek: 250,
  gapSeconds: 30,
  lastClaimAt: null,
  restsUntil: null,
  usedDay: 0,
  usedWeek: 0,
  ...given,
})

/** A Wednesday morning in Berlin, within hours. */
export const wednesday = new Date('2026-11-25T10:00:00Z')

/** One account, one due letter, an agent from nine to six. */
export const facts = (given: Partial<Facts> = {}): Facts => ({
  state: 'running',
  zone: 'Europe/Berlin',
  agent: {
    enabled: true,
    hours: { zone: 'Europe/Berlin', from: '09:00', to: '18:00', daysOff: [] },
  },
  senders: [sender('con_a')],
  queued: [{ connection: null, dueAt: new Date('2026-11-25T09:00:00Z') }],
  unagreed: 0,
  notAgreed: false,
  unseen: false,
  unplanned: 0,
  inFlight: 0,
  ...given,
})
