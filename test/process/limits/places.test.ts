import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { type Leave, type Limits, openPlaces } from '../../../process/limits/places.ts'
import { registry } from '../../../process/telemetry/metrics.ts'

// Work is written as its key and, where it is not 1, its weight: `a`, `b3`. Each work in hand ends in the order in which it began.

const partsOf = (work: string) => ({ key: work[0] ?? '', weight: Number(work.slice(1) || 1) })

/** The order in which works begin that ask for places one after the other, while the first one has not ended. */
async function orderOf(limits: Omit<Limits, 'name'>, works: string): Promise<string> {
  const places = openPlaces({ name: 'test', ...limits })
  const began: string[] = []
  const inHand: Leave[] = []
  for (const work of works.split(' ')) {
    const { key, weight } = partsOf(work)
    void places.take(key, { weight }).then((leave) => {
      began.push(work)
      inHand.push(leave)
    })
  }
  await setImmediate()
  while (places.waiting() > 0) {
    began.push('|')
    ok(began.length < 100, `stuck: ${began.join(' ')}`)
    inHand.shift()?.()
    await setImmediate()
  }
  for (const leave of inHand) leave()
  deepEqual([places.inHand(), places.waiting()], [0, 0])
  return began.join(' ')
}

describe('places', () => {
  // A bar is where the oldest work in hand ends.
  const orders: [what: string, limits: Omit<Limits, 'name'>, works: string, order: string][] = [
    ['have no limit by default', {}, 'a a b', 'a a b'],
    ['are limited in all', { all: 2 }, 'a b c d', 'a b | c | d'],
    ['are limited for each key', { ofKey: 1 }, 'a a b b', 'a b | a | b'],
    ['go to keys in turn', { all: 1 }, 'a a a b c b', 'a | a | b | c | a | b'],
    ['go to whoever came first within a key', { all: 1 }, 'x a2 a3 a1', 'x | a2 | a3 | a1'],
    [
      'are not kept for keys that may not have more',
      { all: 2, ofKey: 1 },
      'a a a b c',
      'a b | a | c | a',
    ],
    ['may be of different keys only', { all: 3, ofKey: 2 }, 'a a a a b', 'a a b | a | a'],
    ['have a weight', { all: 4 }, 'a2 b2 c1 d3', 'a2 b2 | c1 | d3'],
    ['are kept for a heavy one when it is its turn', { all: 4 }, 'a3 b4 c1 d1', 'a3 | b4 | c1 d1'],
    ['are for one alone that is heavier than all', { all: 4 }, 'a1 b9 c1', 'a1 | b9 | c1'],
    [
      'of a key are for one alone that is heavier',
      { ofKey: 4 },
      'a1 a9 b1 a1',
      'a1 b1 | a9 | | a1',
    ],
    ['depend on the key', { ofKey: (key) => (key === 'a' ? 1 : 2) }, 'a a b b', 'a b b | a'],
  ]
  for (const [what, limits, works, order] of orders)
    it(what, async () => equal(await orderOf(limits, works), order))

  it('are taken at once only if they are free, and nobody waits who comes before', async () => {
    const places = openPlaces({ name: 'test', all: 3, ofKey: 2 })
    const one = places.takeFree('a')
    const two = places.takeFree('a')
    ok(one && two)
    equal(places.takeFree('a'), undefined)
    const heavy = places.take('b', { weight: 2 })
    equal(places.takeFree('c'), undefined)
    one()
    const leave = await heavy
    leave()
    ok(places.takeFree('c'))
    deepEqual([places.inHandOf('a'), places.inHandOf('b'), places.inHandOf('c')], [1, 0, 1])
  })

  it('are given back once', () => {
    const places = openPlaces({ name: 'test', all: 2 })
    const one = places.takeFree('a')
    places.takeFree('a')
    one?.()
    one?.()
    equal(places.inHand(), 1)
  })

  it('are waited for no longer than patience lasts', async () => {
    const places = openPlaces({ name: 'test', all: 1 })
    const leave = await places.take('a')
    equal(await places.take('b', { patience: { ms: 10 } }), undefined)
    equal(await places.take('b', { patience: { most: 0 } }), undefined)
    equal(places.waiting(), 0)
    const later = places.take('b', { patience: { ms: 5_000 } })
    leave()
    ok(await later)
  })

  it('are waited for by so many, of whom the key with the most gives way', async () => {
    const places = openPlaces({ name: 'test', all: 1 })
    await places.take('x')
    const ended: string[] = []
    const waits = (key: string, patience: { most?: number; mostOfKey?: number }) =>
      void places
        .take(key, { patience })
        .then((leave) => ended.push(`${key} ${leave !== undefined}`))
    for (const key of ['a', 'a', 'a', 'b']) waits(key, { most: 4 })
    waits('a', { most: 4 })
    await setImmediate()
    deepEqual(ended.splice(0), ['a false'])
    waits('c', { most: 4 })
    await setImmediate()
    deepEqual(ended.splice(0), ['a false'])
    deepEqual(
      ['a', 'b', 'c'].map((key) => places.waitingOf(key)),
      [2, 1, 1],
    )
    waits('b', { most: 4 })
    waits('d', { mostOfKey: 1 })
    waits('d', { mostOfKey: 1 })
    await setImmediate()
    deepEqual(ended, ['b false', 'd false'])
  })

  it('are not waited for once the signal is aborted, and then let others through', async () => {
    const places = openPlaces({ name: 'test', all: 2 })
    const aborted = AbortSignal.abort(new Error('before'))
    await rejects(places.take('a', { signal: aborted }), /before/)
    await places.take('a')
    const stop = new AbortController()
    const heavy = places.take('b', { weight: 2, signal: stop.signal })
    const light = places.take('c')
    stop.abort(new Error('stop'))
    await rejects(heavy, /stop/)
    await light
    deepEqual([places.inHand(), places.waiting()], [2, 0])
  })

  it('are more once their limit is, when it is looked at', async () => {
    let most = 1
    const places = openPlaces({ name: 'test', ofKey: () => most })
    await places.take('a')
    const second = places.take('a')
    most = 2
    places.look('a')
    await second
  })

  it('are shown by one metric', async () => {
    const places = openPlaces({ name: 'shown', all: 1 })
    await places.take('a')
    void places.take('a')
    const text = await registry.getSingleMetricAsString('postroom_limits')
    ok(text.includes('postroom_limits{limit="shown",state="in_hand"} 1'), text)
    ok(text.includes('postroom_limits{limit="shown",state="waiting"} 1'), text)
  })

  for (let seed = 1; seed <= 20; seed++)
    it(`keep their limits, leak nothing and serve everybody in turn (seed ${seed})`, () =>
      walk(seed))
})

type Work = { key: string; weight: number; leave?: Leave; stop: AbortController }

/** Random work for many steps; what holds is checked after each of them. */
async function walk(seed: number) {
  const random = randomOf(seed)
  const below = (n: number) => Math.floor(random() * n)
  const none = Number.POSITIVE_INFINITY
  const [all, ofKey] = [seed % 4 === 0 ? none : 2 + below(6), below(3) ? 1 + below(4) : none]
  const places = openPlaces({ name: 'test', all, ofKey })
  const keys = ['a', 'b', 'c', 'd', 'e']
  const waiting = new Set<Work>()
  const inHand = new Set<Work>()
  // Keys that went ahead of the first one of a key that might have gone.
  const passed = new Map<string, Set<string>>()
  const wrong: unknown[] = []
  let begun = 0

  const sumOf = (works: Work[]) => works.reduce((sum, { weight }) => sum + weight, 0)
  const sum = () => sumOf([...inHand])
  const ofThat = (key: string) => sumOf([...inHand].filter((work) => work.key === key))
  const firstOf = (key: string) => [...waiting].find((work) => work.key === key)
  const mayGo = ({ key, weight }: Work) => ofThat(key) === 0 || ofThat(key) + weight <= ofKey

  for (let step = 0; step < 400; step++) {
    const what = below(10)
    if (what < 5) ask()
    else if (what < 8) end()
    else if (what === 8) [...waiting][below(waiting.size)]?.stop.abort(new Error('given up'))
    else places.takeFree(keys[below(keys.length)] ?? '')?.()
    await setImmediate()
    check()
  }
  while (inHand.size > 0) {
    end()
    await setImmediate()
    check()
  }
  deepEqual([places.inHand(), places.waiting(), waiting.size], [0, 0, 0])
  ok(begun > 50)

  function ask() {
    const key = keys[below(keys.length)] ?? ''
    const weight = below(4) ? 1 : 1 + below(10)
    const work: Work = { key, weight, stop: new AbortController() }
    if (!firstOf(key)) passed.set(key, new Set())
    waiting.add(work)
    const patience = below(3) ? {} : { most: 6, mostOfKey: 3 }
    places
      .take(key, { weight, signal: work.stop.signal, patience })
      .catch(() => undefined)
      .then((leave) => (leave ? begin(work, leave) : void waiting.delete(work)))
      .catch((error) => wrong.push(error))
  }

  function begin(work: Work, leave: Leave) {
    equal(firstOf(work.key), work)
    for (const key of all === none ? [] : keys) {
      const first = firstOf(key)
      if (key === work.key || !first || !mayGo(first)) continue
      ok(!passed.get(key)?.has(work.key), `${work.key} goes twice while ${key} waits`)
      passed.get(key)?.add(work.key)
    }
    passed.set(work.key, new Set())
    waiting.delete(work)
    inHand.add(Object.assign(work, { leave }))
    begun++
  }

  function end() {
    const one = [...inHand][below(inHand.size)]
    if (!one) return
    inHand.delete(one)
    one.leave?.()
    if (below(2)) one.leave?.()
  }

  function check() {
    deepEqual(wrong, [])
    deepEqual([places.inHand(), places.waiting()], [sum(), waiting.size])
    ok(sum() <= all || inHand.size === 1)
    for (const key of keys) {
      equal(places.inHandOf(key), ofThat(key))
      ok(ofThat(key) <= ofKey || [...inHand].filter((work) => work.key === key).length === 1)
    }
    // Nobody waits while there is room for whoever is next.
    const next = keys.flatMap((key) => firstOf(key) ?? []).filter(mayGo)
    const fitting = next.filter(({ weight }) => inHand.size === 0 || sum() + weight <= all)
    ok(next.length === 0 || fitting.length < next.length)
  }
}

/** A generator of Park and Miller. */
function randomOf(seed: number) {
  let state = seed * 7919 + 17
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
