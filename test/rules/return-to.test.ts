import { equal, ok } from 'node:assert/strict'
import { ledBack, longestReturnTo, returnToIn } from '../../rules/return-to.ts'

const origins = [
  'https://app.example.com',
  'https://crm.firm.example:8443',
  'http://127.0.0.1:3000',
]
const [app] = origins as [string]

describe('returnToIn', () => {
  it('takes an address at one of the origins', () => {
    for (const path of [
      '',
      '/',
      '/done',
      '/done?tenant=5',
      '?tenant=5',
      '/a/b?c=d&e=%2F#f',
      '#x',
      '/@x',
    ])
      for (const origin of origins)
        equal(returnToIn(`${origin}${path}`, origins), new URL(`${origin}${path}`).href)
  })

  it('takes none where there are no origins, and none that is too long', () => {
    equal(returnToIn(`${app}/done`, []), undefined)
    ok(returnToIn(`${app}/${'a'.repeat(longestReturnTo - app.length - 1)}`, origins))
    equal(returnToIn(`${app}/${'a'.repeat(longestReturnTo - app.length)}`, origins), undefined)
  })

  it('refuses 5,000 addresses that lead, or look as if they led, elsewhere', () => {
    const random = seeded(36)
    const seen = new Set<string>()
    while (seen.size < 5_000) seen.add(forbidden(random))
    for (const text of seen) equal(returnToIn(text, origins), undefined, text)
  })

  it('leads 5,000 addresses that begin with an origin to that origin alone, whatever follows', () => {
    const random = seeded(37)
    let taken = 0
    for (let n = 0; n < 5_000; n++) {
      const text = `${random(origins)}${random(['/', '?', '#', ''])}${noise(random)}`
      const found = returnToIn(text, origins)
      if (found === undefined) continue
      taken++
      for (const url of [new URL(found), new URL(ledBack(found, { state: 'cancelled' }))]) {
        ok(origins.includes(url.origin), text)
        equal(url.username + url.password, '', text)
      }
    }
    ok(taken > 1_000)
  })
})

describe('ledBack', () => {
  it('adds how it ended, in place of what an address says of that', () => {
    const connected = { state: 'connected', connection: 'con_1' } as const
    equal(ledBack(`${app}/x`, connected), `${app}/x?connection=con_1&state=connected`)
    equal(
      ledBack(`${app}/x?state=a&tenant=5&connection=b&state=c#d`, connected),
      `${app}/x?state=connected&tenant=5&connection=con_1#d`,
    )
    equal(ledBack(`${app}/?connection=con_9`, { state: 'cancelled' }), `${app}/?state=cancelled`)
  })
})

type Random = <T>(from: readonly T[]) => T

/** The same numbers each time (mulberry32). */
function seeded(seed: number): Random {
  let state = seed
  return (from) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    return from[Math.floor(fraction * from.length)] as (typeof from)[number]
  }
}

const hosts = [
  'evil.example',
  '10.0.0.1',
  '[::1]',
  'evil.example:443',
  '169.254.169.254',
  'ⓔvil.example',
]
const pieces = [
  ...[
    '@',
    ':',
    '/',
    '//',
    '\\',
    '?',
    '#',
    '.',
    '%2f',
    '%40',
    '%00',
    '%5c',
    '..',
    '&',
    ';',
    ',',
    '|',
  ],
  ...[' ', '\t', '\n', '\r', '\0', '\u200b', '\u00ad', '\u2028', '／', '。', '＠', '﹫', '\ufeff'],
  ...[
    'a',
    'state=',
    'connection=con_1',
    'evil.example',
    'javascript:alert(1)',
    '127.0.0.1',
    'https:',
  ],
]
const noise = (random: Random) =>
  Array.from({ length: random([1, 2, 3, 4, 6]) }, () => random(pieces)).join('')

/** One that no browser may be led to. */
function forbidden(random: Random): string {
  const origin = random(origins)
  const { protocol, host, hostname } = new URL(origin)
  const evil = random(hosts)
  const end = random(['', '/', '/done', '?next=1', '#x', noise(random)])
  const one = random([
    // Another scheme, host or port.
    () =>
      `${random(['ftp', 'ws', 'wss', 'file', 'javascript', 'data', 'blob:https', 'mailto'])}:${random(['', '//', '/'])}${host}${end}`,
    () => `${protocol === 'https:' ? 'http' : 'https'}://${host}${end}`,
    () => `${protocol}//${evil}${end}`,
    () => `${protocol}//${hostname}:${random(['1', '80', '444', '8080', '65535', '0'])}${end}`,
    // The origin as a part of another one.
    () => `${origin}.${evil}${end}`,
    () =>
      `${origin}${random(['a', '-', '0', '.', ':', '@', '%', '_', ';', ','])}${noise(random)}${end}`,
    () => `${protocol}//${random(['x', 'evil', 'app', 'www'])}.${host}${end}`,
    () => `${protocol}//${random(['x', '-', 'evil'])}${host}${end}`,
    // A user before the host.
    () => `${protocol}//${random(['u', 'u:p', ':', '', host, `${host}:443`, '%20'])}@${host}${end}`,
    () => `${origin}@${evil}${end}`,
    () => `${origin}:${noise(random)}@${evil}${end}`,
    // Other spellings, some of which a browser takes for the same.
    () => `${protocol}${random(['', '/', '///', '\\\\', '/\\', '\\/', '////'])}${host}${end}`,
    () =>
      `${random([' ', '\t', '\n', '\0', '\u200b', '\ufeff', '//', '/', ''])}${random([' ', '\r', '\u00a0'])}${origin}${end}`,
    () =>
      `${origin}/${random([' ', '\t', '\n', '\r', '\0', '\\', '\u200b', 'ä', '。', '\u2028'])}${end}`,
    () => `${protocol.toUpperCase()}//${host}${end}`,
    () =>
      `${protocol}//${host.replace(/[a-z0-9]/, (first) => `%${first.charCodeAt(0).toString(16)}`)}${end}`,
    () =>
      `${protocol}//${host.replace('.', random(['。', '．', '%2e', '..', ' .', '\u00ad.']))}${end}`,
    // No address of a host at all.
    () => `${random(['//', '/', '\\\\', ''])}${evil}${end}`,
    () => `${random(['/', '?', '#', './', '../'])}${noise(random)}`,
    () =>
      `${random(['null', '*', 'about:blank', 'https://', 'https:///', 'http:', '{}'])}${random(['', noise(random)])}`,
    () =>
      `${protocol}//${random([host.toUpperCase(), host.replace(/[a-z1]/, (first) => first.toUpperCase())])}:99${end}`,
  ])()
  return one
}
