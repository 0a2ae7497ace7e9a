import { deepEqual, equal } from 'node:assert/strict'
import { domainSignals, levelOf, recordSignals } from '../../../activities/accounts/signals.ts'
import { findRecords, type LookUpTxt } from '../../../activities/ports/dns.ts'
import type { SendingRecord } from '../../../db/accounts/sending-record.ts'

const now = new Date('2026-11-23T09:00:00Z')
const clean: SendingRecord = {
  sent: 0,
  bounced: 0,
  refused: 0,
  complaints: 0,
  firstSentAt: null,
  usedToday: 0,
  usualDay: 0,
  mailboxProblem: null,
}
const levels = (record: Partial<SendingRecord>) =>
  Object.fromEntries(
    recordSignals({ ...clean, ...record }, now).map(({ key, level }) => [key, level]),
  )
const zone =
  (records: Record<string, string[]>): LookUpTxt =>
  async (name) =>
    records[name] ?? []
const domain = async (records: Record<string, string[]>, selector?: string, name = 'us.eu') =>
  Object.fromEntries(
    domainSignals(await findRecords(zone(records), name, selector)).map(({ key, level }) => [
      key,
      level,
    ]),
  )

describe('health of an account', () => {
  it('is its worst signal, and signals without data are ignored', () => {
    const signal = (level: 'normal' | 'caution' | 'restricted' | 'unknown') => ({
      key: 'x',
      level,
      score: 0,
      facts: {},
    })
    equal(levelOf([signal('normal'), signal('restricted'), signal('caution')]), 'restricted')
    equal(levelOf([signal('unknown'), signal('normal')]), 'normal')
    equal(levelOf([signal('unknown')]), 'unknown')
  })

  it('computes a bounce rate only when enough has been sent', () => {
    equal(levels({ sent: 19, bounced: 19 })['bounces'], 'normal')
    equal(levels({ sent: 100, bounced: 1 })['bounces'], 'normal')
    equal(levels({ sent: 100, bounced: 2 })['bounces'], 'caution')
    equal(levels({ sent: 100, bounced: 5 })['bounces'], 'restricted')
    equal(levels({ sent: 100, bounced: 10 })['bounces'], 'blocked')
  })

  it('tolerates far fewer complaints than bounces', () => {
    equal(levels({ sent: 99, complaints: 5 })['complaints'], 'normal')
    equal(levels({ sent: 1000, complaints: 1 })['complaints'], 'caution')
    equal(levels({ sent: 1000, complaints: 3 })['complaints'], 'restricted')
  })

  it('counts refusals by the provider', () => {
    equal(levels({ sent: 9, refused: 1 })['provider'], 'caution')
    equal(levels({ sent: 5, refused: 5 })['provider'], 'restricted')
  })

  it('warns a young account that grows too fast', () => {
    const firstSentAt = new Date('2026-11-20T09:00:00Z')
    equal(levels({ firstSentAt, usedToday: 50, usualDay: 10 })['ramp'], 'normal')
    equal(levels({ firstSentAt, usedToday: 51, usualDay: 10 })['ramp'], 'caution')
    equal(levels({ firstSentAt, usedToday: 100, usualDay: 30 })['ramp'], 'normal')
    const old = new Date('2026-10-01T09:00:00Z')
    equal(levels({ firstSentAt: old, usedToday: 500, usualDay: 10 })['ramp'], 'normal')
  })

  it('reads the SPF, DKIM and DMARC records of a domain', async () => {
    const records = {
      'us.eu': ['v=spf1 mx -all', 'other=1'],
      '_dmarc.us.eu': ['v=DMARC1; p=reject'],
      'key._domainkey.us.eu': ['v=DKIM1; k=rsa; p=MIIB'],
    }
    deepEqual(await domain(records, 'key'), { spf: 'normal', dkim: 'normal', dmarc: 'normal' })
    deepEqual(await domain(records), { spf: 'normal', dkim: 'unknown', dmarc: 'normal' })
    deepEqual(await domain(records, 'key', 'mail.us.eu'), {
      spf: 'caution',
      dkim: 'caution',
      dmarc: 'normal',
    })
    deepEqual(await domain({}, 'key'), { spf: 'caution', dkim: 'caution', dmarc: 'caution' })
    equal((await domain({ 'us.eu': ['v=spf1 +all'] }))['spf'], 'restricted')
    equal((await domain({ 'us.eu': ['v=spf1 -all', 'v=spf1 mx -all'] }))['spf'], 'caution')
  })

  it('asks nothing about impossible names, and treats no answer as no signal', async () => {
    const nobody = { spf: 'unknown', dkim: 'unknown', dmarc: 'unknown' }
    deepEqual(await domain({}, undefined, 'us.example'), nobody)
    const away: LookUpTxt = async () => {
      throw new Error('nobody answers')
    }
    deepEqual(await findRecords(away, 'us.eu', undefined), undefined)
  })
})
