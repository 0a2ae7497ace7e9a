import { deepEqual, equal, ok } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { occurrencesIn } from '../../../rules/calendar/events.ts'
import { type Calendars, startCalendars } from '../../support/given-calendar.ts'
import { eventually } from '../../support/service.ts'

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i).join(',')
const eachSecond = `FREQ=DAILY;BYHOUR=${numbers(24)};BYMINUTE=${numbers(60)};BYSECOND=${numbers(60)}`
const timed = ['DTSTART:20261101T080000Z', 'DURATION:PT5M']

describe('events crafted to stop the service', function () {
  this.timeout(120_000)
  let calendars: Calendars

  before(async function () {
    calendars = await startCalendars(this.test?.ctx)
  })
  after(() => calendars?.close())

  it('delay neither the other events of their calendar nor a call', async () => {
    const { synced, list, call, server } = await calendars.room()
    const { put } = server
    await put('bomb', [...timed, `RRULE:${eachSecond}`, 'SUMMARY:Bomb'])
    await put('twice', [...timed, 'RRULE:FREQ=DAILY;BYHOUR=8,14', 'SUMMARY:Twice a day'])
    await put('dentist', ['DTSTART:20261125T080000Z', 'DURATION:PT1H', 'SUMMARY:Dentist'])
    let syncing = true
    const statuses: number[] = []
    const calls = (async () => {
      while (syncing) statuses.push((await call('POST', '/senders/health/check', {})).status)
    })()
    await synced()
    syncing = false
    await calls
    deepEqual(
      statuses.filter((status) => status !== 200),
      [],
    )
    const titles = new Set((await list('?to=2026-11-30')).map(({ title }) => title))
    deepEqual([...titles].sort(), ['Dentist', 'Twice a day'])
  })

  const servers: [string, number, string, string][] = [
    ['more than any calendar holds', 207, 'x'.repeat(64 * 1024), 'caldav_too_large'],
    ['another address', 302, '', 'caldav_unreachable'],
  ]
  for (const [what, status, chunk, problem] of servers)
    it(`are no longer requested from a server that answers ${what}`, async () => {
      let sent = 0
      let elsewhere = 0
      const server = createServer((request, response) => {
        if (request.url === '/elsewhere') elsewhere++
        response.writeHead(status, { 'content-type': 'text/xml', location: '/elsewhere' })
        if (!chunk) return void response.end()
        const more = () => {
          while (!response.destroyed && sent < 2 ** 30) {
            sent += chunk.length
            if (!response.write(chunk)) return void response.once('drain', more)
          }
        }
        more()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const { row, call, member } = await calendars.room(() => `http://127.0.0.1:${port}/`)
      const meeting = { calendar: `cal_${member}`, day: '2026-11-24', start: '10:00' }
      const check = { ...meeting, title: 'Demo', minutes: 30, guests: ['kim@client.example'] }
      await call('POST', '/calendar/meetings', { ...check, check: true })
      await eventually(row, (now) => now.problem !== null, 30_000)
      equal((await row()).problem, problem)
      equal(elsewhere, 0)
      ok(sent < 64 * 1024 * 1024, `${sent} bytes`)
      server.closeAllConnections()
      server.close()
    })
})

describe('expanding a rule', () => {
  const days = 24 * 60 * 60 * 1000
  const from = new Date('2026-11-23T00:00:00Z')
  const window = { from, to: new Date(from.getTime() + 1200 * days) }
  const found = (rule: string, ...more: string[]) =>
    occurrencesIn(
      ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:a', ...more, ...timed, `RRULE:${rule}`]
        .concat('END:VEVENT', 'END:VCALENDAR')
        .join('\r\n'),
      window,
      'UTC',
    ).length

  const rules: [string, number, number][] = [
    ['FREQ=DAILY', 900, 1000],
    ['FREQ=WEEKLY;BYDAY=MO,WE', 200, 400],
    ['FREQ=DAILY;BYHOUR=8,10,12,14', 900, 1000],
    [eachSecond, 0, 0],
    [eachSecond.replace('DAILY', 'YEARLY'), 0, 0],
    ['FREQ=SECONDLY', 0, 0],
    [`FREQ=DAILY;BYSECOND=${numbers(5)}`, 0, 0],
  ]
  for (const [rule, least, most] of rules)
    it(`finds ${least} to ${most} occurrences of ${rule.slice(0, 40)}`, () => {
      const count = found(rule)
      ok(count >= least && count <= most, `${count}`)
    })

  it('skips a rule whose occurrences last for years', () => {
    equal(found('FREQ=DAILY', 'DTEND:20361101T080000Z'), 0)
  })
})
