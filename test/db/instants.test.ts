import { deepEqual, equal } from 'node:assert/strict'
import { instantOf } from '../../db/instants.ts'
import { withClient } from '../../dev/stack/postgres.ts'
import { testPostgres } from '../support/postgres.ts'

describe('An instant of Postgres', () => {
  /** The text that Postgres writes for an instant in a time zone, and its milliseconds by Postgres' own reckoning. */
  const written = async (instant: string, zone = 'UTC') =>
    withClient((await testPostgres()).url('postgres'), async (client) => {
      await client.query(`set time zone '${zone}'`)
      const { rows } = await client.query<{ text: string; ms: string }>(
        `select $1::timestamptz::text as text, floor(extract(epoch from $1::timestamptz) * 1000)::text as ms`,
        [instant],
      )
      return rows[0] ?? { text: '', ms: '' }
    })

  it('is read to the millisecond', async () => {
    for (const instant of [
      '2026-11-25 19:11:50+00',
      '2026-11-25 19:11:50.5+00',
      '2026-11-25 19:11:50.07+00',
      '2026-11-25 19:11:50.007+00',
      '2026-11-25 19:11:50.123999+00',
      '2026-11-25 19:11:50.000001+00',
      '2024-02-29 23:59:59.999999+00',
      '1000-01-01 00:00:00+00',
      '9999-12-31 23:59:59.999+00',
    ]) {
      const { text, ms } = await written(instant)
      equal(text, instant)
      equal(instantOf(text).getTime(), Number(ms), text)
    }
  })

  it('is read by the driver where it looks unusual', async () => {
    const read = []
    for (const [instant, zone] of [
      ['2026-11-25T19:11:50.25Z', 'Asia/Kolkata'],
      ['2026-11-25T19:11:50.25Z', 'America/St_Johns'],
      ['0050-03-01T12:00:00Z', 'UTC'],
      ['12026-03-01T12:00:00Z', 'UTC'],
    ] as const) {
      const { text, ms } = await written(instant, zone)
      equal(instantOf(text).getTime(), Number(ms), text)
      read.push(instantOf(text).toISOString())
    }
    deepEqual(read, [
      '2026-11-25T19:11:50.250Z',
      '2026-11-25T19:11:50.250Z',
      '0050-03-01T12:00:00.000Z',
      '+012026-03-01T12:00:00.000Z',
    ])
    equal(instantOf('infinity') as unknown, Number.POSITIVE_INFINITY)
  })
})
