import { deepEqual, match, ok } from 'node:assert/strict'
import { floors, orders, rooms } from '../support/imports/directions.ts'
import { breachesIn } from '../support/imports/judge.ts'
import { sources } from '../support/sources.ts'

/** Relative, as it would be written. */
const specifier = (from: string, to: string) =>
  `${'../'.repeat(from.split('/').length - 1) || './'}${to}`

const offending = (from: string, to: string, how = 'import { a } from') => ({
  [from]: `${how} '${to.includes(':') || to.startsWith('@') ? to : specifier(from, to)}'\n`,
})

// One for each direction that the table forbids: who imports, and what.
const forbidden: [from: string, to: string][] = [
  ['rules/new.ts', 'db/database.ts'],
  ['rules/people-file/new.ts', 'process/telemetry/log.ts'],
  ['rules/new.ts', 'process/network/loopback.ts'],
  ['rules/new.ts', 'workflows/ids.ts'],
  ['process/network/new.ts', 'process/telemetry/log.ts'],
  ['process/network/new.ts', 'process/config.ts'],
  ['process/telemetry/new.ts', 'db/database.ts'],
  ['process/telemetry/new.ts', 'process/config.ts'],
  ['process/config.ts', 'db/database.ts'],
  ['db/new.ts', 'process/config.ts'],
  ['db/new.ts', 'process/network/loopback.ts'],
  ['db/people/new.ts', 'process/telemetry/log.ts'],
  ['db/people/new.ts', 'process/children/pool.ts'],
  ['db/people/new.ts', 'workflows/ids.ts'],
  ['db/people/new.ts', 'activities/deps.ts'],
  ['db/people/new.ts', 'api/route.ts'],
  ['db/people/new.ts', 'dev/up.ts'],
  ['db/new.ts', '@temporalio/client'],
  ['process/children/new.ts', 'db/database.ts'],
  ['process/children/new.ts', 'workflows/ids.ts'],
  ['process/children/new.ts', 'activities/deps.ts'],
  ['process/children/new.ts', 'api/route.ts'],
  ['process/children/new.ts', '@temporalio/client'],
  ['process/limits/new.ts', 'process/children/pool.ts'],
  ['workflows/new.ts', 'activities/index.ts'],
  ['workflows/new.ts', 'db/database.ts'],
  ['workflows/new.ts', 'api/route.ts'],
  ['workflows/new.ts', 'node:fs'],
  ['activities/campaigns/new.ts', 'workflows/run-campaign.ts'],
  ['activities/campaigns/new.ts', 'api/route.ts'],
  ['activities/new.ts', 'dev/operator/progress.ts'],
  ['api/new.ts', 'activities/index.ts'],
  ['api/routes/campaigns/new.ts', 'activities/campaigns/run-campaign.ts'],
  ['api/new.ts', 'workflows/ids.ts'],
  ['api/new.ts', '@temporalio/client'],
  ['api/new.ts', 'dev/operator/progress.ts'],
  ['dev/operator/new.ts', 'dev/stack/ports.ts'],
  ['dev/operator/new.ts', 'dev/demo/client.ts'],
  ['dev/stack/new.ts', 'dev/demo/client.ts'],
  ['dev/demo/new.ts', 'dev/up.ts'],
  ...['rules', 'db', 'workflows', 'activities', 'api', 'dev/operator', 'dev/stack'].map(
    (place): [string, string] => [`${place}/new.ts`, 'test/support/given.ts'],
  ),
]

const inRoom = (room: string) => (room.endsWith('/') ? `${room}new.ts` : room)

describe('imports', () => {
  const files = sources()

  it('go from floor to floor, and from wing to wing, one way', () => {
    ok(Object.keys(files).length > 500)
    deepEqual(breachesIn(files), [])
  })

  it('name only places that exist', () => {
    const doors = rooms.flatMap(({ place, doors }) => doors.map((door) => `${place}${door}`))
    const places = [...floors.map(({ place }) => place), ...orders.flat(), ...doors]
    const missing = places.filter(
      (place) => !Object.keys(files).some((path) => path === place || path.startsWith(place)),
    )
    deepEqual(missing, [])
  })

  for (const { place, doors } of rooms)
    it(`enter ${place} by its doors`, () => {
      const behind = `${place}behind.ts`
      match(breachesIn(offending('db/new.ts', behind)).join(), /which is no door of/)
      deepEqual(breachesIn(offending('test/new.ts', behind)), [])
      for (const door of doors) deepEqual(breachesIn(offending('db/new.ts', place + door)), [])
    })

  for (const [from, to] of forbidden)
    it(`of ${to} are found in ${from}`, () => {
      const [breach = '', ...others] = breachesIn(offending(from, to))
      ok(breach.startsWith(`${from} imports ${to}`), breach)
      deepEqual(others, [])
    })

  for (const order of orders)
    it(`against the order from ${order[0]} to ${order.at(-1)} are found`, () => {
      for (const [at, room] of order.entries())
        for (const later of order.slice(at + 1)) {
          const [from, to] = [inRoom(room), inRoom(later)]
          deepEqual(breachesIn(offending(from, to)), [
            `${from} imports ${to}: ${later} comes after ${room}.`,
          ])
        }
    })

  it('are found however they are written', () => {
    for (const how of [
      'import {\n  a,\n  type B,\n} from',
      'import type { A } from',
      'import a, { b } from',
      'import * as a from',
      'import',
      'export { a } from',
      'export * from',
      'export type * from',
    ])
      match(
        breachesIn(offending('db/new.ts', 'api/route.ts', how)).join(),
        /^db\/new\.ts imports api\/route\.ts/,
        how,
      )
    for (const text of [
      "const a = await import('../api/route.ts')",
      "type A = import('../api/route.ts').Route",
      "type A = typeof import('../api/route.ts')",
    ])
      match(breachesIn({ 'db/new.ts': text }).join(), /^db\/new\.ts imports api\/route\.ts/, text)
  })

  it('of types alone are accepted where only types are allowed', () => {
    const from = 'workflows/new.ts'
    deepEqual(breachesIn(offending(from, 'activities/index.ts', 'import type { A } from')), [])
    const value = breachesIn(offending(from, 'activities/index.ts', 'import { type A } from'))
    deepEqual(value, ['workflows/new.ts imports activities/index.ts.'])
  })

  it('in a circle are found, those of types too', () => {
    deepEqual(
      breachesIn({
        'db/people/one.ts': "import type { Two } from './two.ts'\n",
        'db/people/two.ts': "export { three } from './three.ts'\n",
        'db/people/three.ts': "import { one } from './one.ts'\n",
      }),
      [
        'A circle of imports: db/people/one.ts → db/people/two.ts → db/people/three.ts → db/people/one.ts.',
      ],
    )
  })

  it('of a file that belongs to no floor are found', () => {
    deepEqual(breachesIn({ 'lib/new.ts': '' }), ['lib/new.ts stands on no floor.'])
  })
})
