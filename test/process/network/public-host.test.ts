import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import {
  hostMeant,
  isPrivateHost,
  isPublic,
  resolvePublic,
} from '../../../process/network/public-host.ts'
import { inUrls, privateHosts, publicHosts } from '../../support/private-hosts.ts'
import { startService } from '../../support/service.ts'

describe('a host', () => {
  it('is public by its number if it can be reached over the internet', () => {
    const own = `127.0.0.1 127.9.9.9 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
      100.100.100.200 168.63.129.16 ::ffff:168.63.129.16 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1
      203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 ::1 :: fe80::1 fc00::1 fd12::1 fd00:ec2::254 fec0::1 ff02::1
      ::ffff:10.0.0.1 ::ffff:0:10.0.0.1 ::127.0.0.1 ::8.8.8.8 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 100::1
      1::1 1fff::1 4000::1 8000::1 5f00::1 2001::1 2001:2::1 2001:10::1 2001:20::1 2001:1ff::1 2001:db8::1
      2002:7f00:1:: 2002:808:808::1 3fff::1 not-an-address`
    for (const address of own.split(/\s+/)) equal(isPublic(address), false, address)
    const others = `1.1.1.1 93.184.216.34 172.32.0.1 168.63.129.15 ::ffff:1.1.1.1 2606:4700::1111 2001:200::1
      2001:4860:4860::8888 2a00:1450::1 2003::1 3ffe::1`
    for (const address of others.split(/\s+/)) equal(isPublic(address), true, address)
  })

  it('is private in each of some thousand spellings, and public ones are not', async () => {
    const all = privateHosts()
    ok(all.length > 5_000)
    const isRefused = (host: string) => {
      const meant = hostMeant(host)
      return meant === undefined || isPrivateHost(meant)
    }
    deepEqual(
      all.filter((host) => !isRefused(host)),
      [],
    )
    deepEqual(publicHosts.filter(isRefused), [])
    for (const url of inUrls(all, 9).filter((url) => URL.canParse(url) && !url.includes('@')))
      equal(await resolvePublic(new URL(url).hostname, { withinMs: 1000 }), 'private_address', url)
  })

  /** A name server that answers these addresses, or does not answer in time. */
  async function nameServer(answers: Record<string, string[]> | 'hang') {
    const socket = createSocket('udp4')
    socket.on('message', (question, { port, address }) => {
      if (answers === 'hang') return
      socket.send(answerTo(question, answers), port, address)
    })
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return { nameServers: [`127.0.0.1:${socket.address().port}`], close: () => socket.close() }
  }

  it('is public by its name if all its addresses are', async () => {
    const { nameServers, close } = await nameServer({
      'good.example': ['93.184.216.34', '2606:4700::1111'],
      'half.example': ['93.184.216.34', '10.0.0.1'],
      'six.example': ['93.184.216.34', '64:ff9b::7f00:1'],
      'azure.example': ['168.63.129.16'],
    })
    const found = (host: string) => resolvePublic(host, { withinMs: 5000, nameServers })
    deepEqual(await found('good.example'), { address: '93.184.216.34', family: 4 })
    for (const name of ['half.example', 'six.example', 'azure.example', '[::1]', 'localhost'])
      equal(await found(name), 'private_address', name)
    equal(await found('none.example'), 'unresolved')
    close()
  })

  it('is given up in time if the name servers do not answer, and delays no other lookup', async () => {
    const { nameServers, close } = await nameServer('hang')
    const started = performance.now()
    const asked = Array.from({ length: 200 }, (_, n) =>
      resolvePublic(`slow-${n}.example`, { withinMs: 1000, nameServers }),
    )
    deepEqual(new Set(await Promise.all(asked)), new Set(['unresolved']))
    // One after the other in four threads, they would take 50 s.
    ok(performance.now() - started < 25_000)
    close()
  })
})

describe('POST and PATCH /webhooks', () => {
  it('refuse addresses that are known to lead to no public machine, and then store nothing', async () => {
    const service = await startService({ webhookAllowPrivate: false })
    const { call } = await service.workspace()
    const open = await call('POST', '/webhooks', { url: 'https://93.184.216.34/hooks' })
    equal(open.status, 200)
    for (const host of [
      ...[
        '127.0.0.1:9',
        'localhost',
        '[::1]',
        '[::127.0.0.1]',
        '[8000::1]',
        '0x7f000001',
        '10.0.0.1',
      ],
      ...['168.63.129.16', '169.254.169.254', '[::ffff:10.0.0.1]', '[2002:7f00:1::]'],
    ])
      for (const [method, path] of [
        ['POST', '/webhooks'],
        ['PATCH', `/webhooks/${open.body.id}`],
      ] as const) {
        const { status, body } = await call(method, path, { url: `http://${host}/hooks` })
        deepEqual([status, body.code], [422, 'validation_failed'], host)
        const { pointer, code, message } = body.errors[0]
        deepEqual([pointer, code], ['/url', 'private_address'], host)
        match(message, /WEBHOOK_ALLOW_PRIVATE=true/)
      }
    const { webhooks } = (await call('GET', '/webhooks')).body
    deepEqual(
      webhooks.map(({ url }: { url: string }) => url),
      ['https://93.184.216.34/hooks'],
    )
    // Names that do not resolve yet are checked at each delivery.
    equal((await call('POST', '/webhooks', { url: 'https://no-such-host.invalid/' })).status, 200)
    await service.close()
  })
})

/** An answer of the DNS (RFC 1035) to a question for A or AAAA. */
function answerTo(question: Buffer, answers: Record<string, string[]>): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const asked = question.subarray(12, at + 5)
  const family = question.readUInt16BE(at + 1) === 28 ? 6 : 4
  const known = answers[labels.join('.').toLowerCase()]
  const found = (known ?? []).filter((address) => address.includes(':') === (family === 6))
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(known ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(found.length, 6)
  head.fill(0, 8, 12)
  return Buffer.concat([head, asked, ...found.map((address) => recordOf(address, family))])
}

function recordOf(address: string, family: 4 | 6): Buffer {
  const bytes = family === 4 ? address.split('.').map(Number) : bytesOf(address)
  const type = family === 4 ? 1 : 28
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes])
}

function bytesOf(address: string): number[] {
  const [left = '', right = ''] = address.split('::')
  const words = (text: string) => text.split(':').filter(Boolean)
  const zeros = Array.from({ length: 8 - words(left).length - words(right).length }, () => '0')
  return [...words(left), ...zeros, ...words(right)].flatMap((word) => {
    const number = Number.parseInt(word, 16)
    return [number >> 8, number & 255]
  })
}
