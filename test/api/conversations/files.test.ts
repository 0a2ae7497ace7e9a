import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { newId } from '../../../db/ids.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('files', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given(files: { name?: string; type?: string; content?: Buffer }[]) {
    const ours = await service.workspace()
    const { db, clock } = service
    const [person = ''] = await givenPeople(
      db,
      ours.id,
      [{ name: 'Kim', email: 'kim@x.test' }],
      clock.now(),
    )
    const connection = ours.connections[0]
    const conversation = { person, connection, from: 'kim@x.test', at: clock.now() }
    const id = await givenConversation(db, ours.id, conversation)
    const [{ id: message }] = (await ours.call('GET', `/conversations/${id}/messages`)).body
      .messages
    const ids: string[] = []
    for (const {
      name = 'a.bin',
      type = 'application/pdf',
      content = Buffer.from('0123456789'),
    } of files) {
      const row = { id: newId('fil'), workspace: ours.id, message, name, type, content }
      await db
        .insertInto('files')
        .values({ ...row, size: content.length })
        .execute()
      ids.push(row.id)
    }
    const get = (file: string | undefined, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${service.url}/api/v1/files/${file}`, {
        method,
        headers: { authorization: `Bearer ${ours.token}`, ...headers },
      })
    return { ...ours, conversation: id, message, ids, get }
  }

  it('are listed with their message, in its order', async () => {
    const { call, message, conversation, ids } = await given([
      { name: 'z.pdf' },
      { name: 'a.png', type: 'image/png', content: Buffer.alloc(3) },
    ])
    deepEqual((await call('GET', `/messages/${message}/files`)).body, {
      files: [
        { id: ids[0], name: 'z.pdf', type: 'application/pdf', size: 10, cid: null },
        { id: ids[1], name: 'a.png', type: 'image/png', size: 3, cid: null },
      ],
      next: null,
    })
    equal((await call('GET', `/conversations/${conversation}/messages`)).body.messages[0].files, 2)
  })

  it('are returned byte for byte, however large', async () => {
    const content = Buffer.from(
      Array.from({ length: 1_000_003 }, (_, i) => (i * 31 + (i >> 8)) % 256),
    )
    const { get, ids } = await given([{ content }])
    const reply = await get(ids[0])
    equal(reply.status, 200)
    equal(reply.headers.get('content-length'), String(content.length))
    equal(reply.headers.get('content-type'), 'application/pdf')
    equal(reply.headers.get('x-content-type-options'), 'nosniff')
    equal(reply.headers.get('accept-ranges'), 'bytes')
    ok(reply.headers.get('x-request-id'))
    ok(Buffer.from(await reply.arrayBuffer()).equals(content))
    for (const [from, to] of [
      [262_143, 262_145],
      [0, 999_999],
      [1_000_002, 1_000_002],
    ] as const) {
      const part = await get(ids[0], { range: `bytes=${from}-${to}` })
      equal(part.status, 206)
      ok(Buffer.from(await part.arrayBuffer()).equals(content.subarray(from, to + 1)))
    }
  })

  const ranges: [string, number, string, string | null][] = [
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=0-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=9-9', 206, '9', 'bytes 9-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=99999999999999999999-', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', null],
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
    ['bytes=a-b', 200, '0123456789', null],
  ]
  for (const [range, status, text, said] of ranges)
    it(`answer ${range} with ${status}`, async () => {
      const { get, ids } = await given([{}])
      const reply = await get(ids[0], { range })
      const body = await reply.text()
      deepEqual([reply.status, reply.headers.get('content-range')], [status, said])
      if (status === 416) equal(JSON.parse(body).code, 'range_not_satisfiable')
      else equal(body, text)
    })

  it('are not sent again to a client that has them', async () => {
    const { get, ids } = await given([{}, {}])
    const etag = (await get(ids[0])).headers.get('etag') ?? ''
    match(etag, /^"[^"]+"$/)
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const reply = await get(ids[0], { 'if-none-match': known, range: 'bytes=99-' })
      deepEqual([reply.status, await reply.text(), reply.headers.get('etag')], [304, '', etag])
    }
    equal((await get(ids[1], { 'if-none-match': etag })).status, 200)
    const part = { range: 'bytes=0-0' }
    equal((await get(ids[0], { ...part, 'if-range': etag })).status, 206)
    equal((await get(ids[0], { ...part, 'if-range': '"other"' })).status, 200)
  })

  it('may be empty', async () => {
    const { get, ids } = await given([{ content: Buffer.alloc(0) }])
    const reply = await get(ids[0])
    deepEqual(
      [reply.status, reply.headers.get('content-length'), await reply.text()],
      [200, '0', ''],
    )
    equal((await get(ids[0], { range: 'bytes=0-' })).status, 416)
  })

  it('answer HEAD with the headers alone', async () => {
    const { get, ids } = await given([{}])
    const reply = await get(ids[0], {}, 'HEAD')
    deepEqual(
      [reply.status, reply.headers.get('content-length'), await reply.text()],
      [200, '10', ''],
    )
  })

  const names: [string, string][] = [
    ['a.pdf', 'attachment; filename="a.pdf"'],
    ['a b;c.pdf', 'attachment; filename="a b;c.pdf"'],
    [
      'Größe €.pdf',
      `attachment; filename="Gr__e _.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E2%82%AC.pdf`,
    ],
    ['a"b%20.pdf', `attachment; filename="a_b_20.pdf"; filename*=UTF-8''a%22b%2520.pdf`],
    ["it's (1)*.pdf", `attachment; filename="it's (1)*.pdf"`],
    [
      "ü's (1)*.pdf",
      `attachment; filename="_'s (1)*.pdf"; filename*=UTF-8''%C3%BC%27s%20%281%29%2A.pdf`,
    ],
    ['../../etc/passwd', 'attachment; filename=".._.._etc_passwd"'],
    ['a\r\nX-Evil: 1.pdf', 'attachment; filename="aX-Evil: 1.pdf"'],
    ['fdp.\u202eexe', 'attachment; filename="fdp.exe"'],
    ['\u0007', 'attachment; filename="file"'],
  ]
  for (const [name, said] of names)
    it(`are named ${JSON.stringify(name)} in a way that any client can read`, async () => {
      const { get, ids } = await given([{ name }])
      equal((await get(ids[0])).headers.get('content-disposition'), said)
    })

  const types: [string, string][] = [
    ['text/html', 'text/html'],
    ['image/svg+xml', 'image/svg+xml'],
    ['text/plain; charset=koi8-r', 'text/plain; charset=koi8-r'],
    ['', 'application/octet-stream'],
    ['nonsense', 'application/octet-stream'],
    ['text/html\r\nX-Evil: 1', 'application/octet-stream'],
    ['text/ü', 'application/octet-stream'],
  ]
  for (const [type, said] of types)
    it(`of the type ${JSON.stringify(type)} are never shown as a page`, async () => {
      const { get, ids } = await given([
        { type, content: Buffer.from('<script>alert(1)</script>') },
      ])
      const { headers } = await get(ids[0])
      equal(headers.get('content-type'), said)
      equal(headers.get('x-evil'), null)
      match(headers.get('content-disposition') ?? '', /^attachment;/)
      equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
    })

  it('of another workspace are not found', async () => {
    const theirs = await given([{}])
    const { get, call } = await given([])
    equal((await get(theirs.ids[0])).status, 404)
    equal((await call('GET', `/messages/${theirs.message}/files`)).status, 404)
  })

  it('break off when they are deleted meanwhile', async () => {
    const { get, ids } = await given([{ content: Buffer.alloc(20 << 20) }])
    const reply = await get(ids[0])
    const reader = reply.body?.getReader()
    await reader?.read()
    await service.db
      .deleteFrom('files')
      .where('id', '=', ids[0] ?? '')
      .execute()
    let failed = false
    try {
      while (!(await reader?.read())?.done);
    } catch {
      failed = true
    }
    ok(failed)
    equal((await get(ids[0])).status, 404)
  })
})
