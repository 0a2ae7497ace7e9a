import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { eventsOf } from '../../support/events.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

// What a message may have beside its text. Nothing is sent here.

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')
const file = (name: string, content: string | Buffer = name, type = 'image/png') => ({
  name,
  type,
  content: base64(content),
})

describe('a whole message', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    // On a busy machine a large body takes its time to arrive, and the next one waits for it.
    service = await startService({ patience: { roomMs: 120_000, bodyMs: 120_000 } })
  })
  after(() => service.close())

  async function talk(kind: 'email' | 'messenger' = 'email') {
    const { db, clock } = service
    const workspace = await service.workspace()
    const email = `cleo-${randomUUID().slice(0, 8)}@client.example`
    const [person = ''] = await givenPeople(
      db,
      workspace.id,
      [{ name: 'Cleo', email }],
      clock.now(),
    )
    const conversation = await givenConversation(db, workspace.id, {
      person,
      connection: workspace.connections[0],
      at: clock.now(),
      from: email,
    })
    if (kind !== 'email') {
      await db.updateTable('conversations').set({ kind }).where('id', '=', conversation).execute()
      await db
        .updateTable('connections')
        .set({ kind })
        .where('id', '=', workspace.connections[0] as string)
        .execute()
    }
    const path = `/conversations/${conversation}/messages`
    const send = (body: object) => workspace.call('POST', path, body)
    const row = (id: string) =>
      db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const files = (id: string) =>
      db.selectFrom('files').selectAll().where('message', '=', id).orderBy('seq').execute()
    const upload = async (given: object) => (await workspace.call('POST', '/files', given)).body.id
    const suppress = (address: string) =>
      db
        .insertInto('suppressions')
        .values({ workspace: workspace.id, address, reason: 'bounce', at: clock.now() })
        .execute()
    return { ...workspace, person, email, conversation, path, send, row, files, upload, suppress }
  }

  const refused = (
    { status, body }: { status: number; body: { code: string; errors?: { pointer: string }[] } },
    code: string,
    pointer?: string,
  ) => {
    equal(`${status} ${body.code}`, `${code === 'file_too_large' ? 413 : 422} ${code}`)
    if (pointer !== undefined) equal(body.errors?.[0]?.pointer, pointer)
  }

  it('shows that there is more where the text made of its HTML is cut', async () => {
    const { send, row } = await talk()
    const { body } = await send({ html: '<p>Paragraph</p>'.repeat(30_000) })
    const { text } = await row(body.id)
    match(text.slice(-30), /\nParagraph\n\n\[…\]$/)
    ok(text.length > 199_900 && text.length <= 200_000, `${text.length}`)
  })

  it('has HTML, copies, files and a subject, which are kept and read as given', async () => {
    const { send, call, row, files, email } = await talk()
    const html = '<p onlooker="x">Hi <b>Cleo</b></p>\n<img src="cid:logo.png"><p>Bye</p>'.replace(
      ' onlooker="x"',
      '',
    )
    const { status, body } = await send({
      html,
      subject: 'Größe: ø',
      cc: ['One@copy.example', 'two@copy.example', 'one@copy.example', email],
      bcc: ['three@copy.example', 'two@copy.example'],
      files: [file('plan.pdf', 'plan', 'application/pdf'), file('logo.png')],
    })
    equal(status, 200)
    deepEqual(
      [body.subject, body.cc, body.bcc, body.html, body.files],
      ['Größe: ø', ['one@copy.example', 'two@copy.example'], ['three@copy.example'], true, 2],
    )
    match(body.text, /^Hi Cleo\s+Bye$/)
    const stored = await row(body.id)
    equal(stored.html, html)
    deepEqual(
      (await files(body.id)).map(({ name, type, cid, content }) => [name, type, cid, `${content}`]),
      [
        ['plan.pdf', 'application/pdf', null, 'plan'],
        ['logo.png', 'image/png', 'logo.png', 'logo.png'],
      ],
    )
    const read = (await call('GET', `/messages/${body.id}`)).body
    deepEqual(
      [read.to, read.cc, read.bcc, read.html, read.files, read.refused, read.text],
      [[email], body.cc, body.bcc, true, 2, [], body.text],
    )
    const listed = (await call('GET', `/messages/${body.id}/files`)).body.files
    deepEqual(
      listed.map(({ cid }: { cid: string }) => cid),
      [null, 'logo.png'],
    )
  })

  it('needs a text or HTML, and keeps both where both are given', async () => {
    const { send, row } = await talk()
    refused(await send({}), 'validation_failed', '/text')
    refused(await send({ html: ' ' }), 'validation_failed', '/html')
    const { body } = await send({ text: 'Words.', html: '<p>Others</p>' })
    equal(body.text, 'Words.')
    equal((await row(body.id)).html, '<p>Others</p>')
  })

  it('needs HTML that shows something where there is no text', async () => {
    const { send } = await talk()
    const blank = [
      '<p> </p>',
      '<body>&nbsp;<br>&zwnj;</body>',
      '<title>Hello</title><!-- Hello -->',
      '<img alt="Hello">',
      '<img src=" ">',
      '<img src="https://x.example/pixel.gif" alt="">',
    ]
    for (const html of blank) {
      const answer = await send({ html })
      refused(answer, 'validation_failed', '/html')
      equal(answer.body.errors[0].code, 'too_small')
      equal((await send({ html, text: 'Hello.' })).body.text, 'Hello.', html)
    }
    const files = [file('my logo.png')]
    for (const [html, text] of [
      ['<img src="https://x.example/a.png" alt=" Our offer ">', 'Our offer'],
      ['<img src="https://x.example/a.png">', '[https://x.example/a.png]'],
      ['<img src="cid:my%20logo.png"><img srcset="x.png 2x" alt="x">', '[my logo.png]\nx'],
      ['<img src="data:image/png;base64,iVBORw0KGgo=">', '[image/png]'],
      ['<p>Hello.</p><img src="https://x.example/a.png" alt="Our offer">', 'Hello.'],
    ] as const) {
      const { body } = await send({ html, files })
      equal(body.text, text)
    }
  })

  it('goes without what its HTML can do without, and says so', async () => {
    const { send } = await talk()
    for (const [html, named, sent] of [
      ['<base href="//evil.example">x', /^<base>/, 'x'],
      ['<link rel=stylesheet href=//evil.example>x', /^<link>/, 'x'],
      ['<style>@import url(//x.example);p{}</style>x', /^@import/, '<style>p{}</style>x'],
      ['<p style="behavior:url(x.htc)">x</p>', /^behavior/, '<p style="">x</p>'],
      [
        '<p style="color:red;width:expression(x)">x</p>',
        /^expression/,
        '<p style="color:red">x</p>',
      ],
    ] as const) {
      const { status, body, text } = await send({ html })
      equal(status, 200, text)
      equal(body.leftOut.length, 1)
      match(body.leftOut[0], named)
      const kept = await service.db
        .selectFrom('messages')
        .select('html')
        .where('id', '=', body.id)
        .executeTakeFirst()
      equal(kept?.html, sent)
    }
    equal((await send({ html: '<p>x</p>' })).body.leftOut, undefined)
  })

  it('is refused with scripts, event handlers, forms and javascript: in its HTML, by name', async () => {
    const { send } = await talk()
    for (const [html, named] of [
      ['<script>alert(1)</script>', /<script>/],
      ['<SCRIPT src=x></SCRIPT>', /<script>/],
      ['<img src=x onerror="alert(1)">', /onerror/],
      ['<body ONLOAD=x>', /onload/],
      ['<form action="x"></form>', /<form>/],
      ['<a href="javascript:alert(1)">x</a>', /javascript:/],
      ['<a href=" Java&Tab;Script&colon;alert(1)">x</a>', /javascript:/],
      ['<div style="background:url(javascript:alert(1))">x</div>', /javascript:/],
      ['<iframe srcdoc="<p>x"></iframe>', /iframe/],
      // Whatever is put below it, such as a signature, would close the tag.
      ['<p>x</p><script ', /<script>/],
      ['<p>x</p><img src="x" onerror="x"', /onerror/],
      // Read in one way it is a value, a comment or text, and in another a tag.
      ['<noscript><p title="</noscript><img src=x onerror=x>"></noscript>', /onerror/],
      ['<!--[if mso]><script>x</script><![endif]-->', /<script>/],
      ['<!--[if gte mso 9]><form action="x"></form><![endif]-->', /<form>/],
      ['<svg></p><style><a id="</style><img src=x onerror=x>">', /onerror/],
      ['<![CDATA[x><script>x</script>]]>', /<script>/],
      ['<svg><set attributeName=onclick to=x></svg>', /onclick/],
      ['<svg><a><animate attributeName=href to="javascript:x"/></a></svg>', /javascript:/],
      ['<svg><a><animate attributeName=href values="#;javascript:x"/></a></svg>', /javascript:/],
      ['<style>@import "javascript:x";</style>', /javascript:/],
      ['<style>@import/**/"java\\9 script:x";</style>', /javascript:/],
      ["<style>p{background:url('java\\73 cript:x')}</style>", /javascript:/],
      ['<p style="background:\\75rl(java\\73 cript:x)">x</p>', /javascript:/],
      ['<style>@\\69mport "x.css";</style>x', /@import/],
    ] as const) {
      const answer = await send({ html })
      refused(answer, 'validation_failed', '/html')
      match(answer.body.errors[0].message, named)
    }
    // Words that only look like it.
    for (const html of [
      '<p title="javascript: a book">the onclick handler of a &lt;script&gt;</p>',
      '<a href="https://x.example/?q=javascript:">x</a>',
      '<!-- <script> -->x<!--[if mso]><table><![endif]--><noscript><img src="x"></noscript>',
      '<p>@import "javascript:x"</p><svg><set attributeName=x to=1 /></svg>',
    ])
      equal((await send({ html })).status, 200, html)
  })

  it('is refused where its HTML refers to a file that it does not have, or cannot be read in time', async () => {
    const { send } = await talk()
    const html = '<img src="cid:logo.png">'
    refused(await send({ html }), 'validation_failed', '/html')
    refused(await send({ html, files: [file('other.png')] }), 'validation_failed', '/html')
    for (const unnamed of ['<img src="cid:">', '<img src="x.png" srcset="x.png 1x, cid:b.png 2x">'])
      refused(await send({ html: unnamed, files: [file('a.png')] }), 'validation_failed', '/html')
    refused(
      await send({ html: '<b>'.repeat(160_000) + '</i>'.repeat(140_000) }),
      'validation_failed',
      '/html',
    )
    refused(await send({ html: 'é'.repeat(600_000) }), 'validation_failed', '/html')
  })

  it('names inline files anew where their names are no Content-ID', async () => {
    const { send, row, files } = await talk()
    const html = '<img src="cid:ロゴ.png"><img src="cid:my%20logo.png"><img src="cid:ロゴ.png2">'
    const given = ['ロゴ.png', 'my logo.png', 'ロゴ.png2'].map((name) => file(name))
    const { body } = await send({ html, files: given })
    const cids = (await files(body.id)).map(({ cid }) => cid)
    for (const cid of cids) match(`${cid}`, /^cid_[a-z0-9]+$/)
    equal((await row(body.id)).html, cids.map((cid) => `<img src="cid:${cid}">`).join(''))
  })

  it('is refused with line breaks and control characters in its subject, names and addresses', async () => {
    const { send } = await talk()
    const text = 'Hello.'
    for (const [member, pointer] of [
      [{ subject: 'Hi\r\nBcc: x@y.example' }, '/subject'],
      [{ subject: 'Hi\u0007' }, '/subject'],
      [{ subject: 'x'.repeat(251) }, '/subject'],
      [{ cc: ['a@b.example\nBcc: x@y.example'] }, '/cc/0'],
      [{ cc: ['a@b.example', 'no address'] }, '/cc/1'],
      [{ bcc: ['Ana <a@b.example>, c@d.example'] }, '/bcc/0'],
      [{ to: 'a@b.example\r\nX: y' }, '/to'],
      [{ files: [file('a\nb.png')] }, '/files/0/name'],
      [{ files: [file('')] }, '/files/0/name'],
      [{ files: [file('a.png', 'a', 'image/png\r\nX: y')] }, '/files/0/type'],
      [{ files: [{ ...file('a.png'), content: '!' }] }, '/files/0/content'],
      [{ files: [{ name: 'a.png', type: 'image/png' }] }, '/files/0/content'],
      [{ files: [{ ...file('a.png'), size: 3 }] }, '/files/0/size'],
      [{ files: ['fil_none'] }, '/files/0'],
      [{ files: Array.from({ length: 21 }, () => file('a.png')) }, '/files'],
      [{ replyTo: 'msg_none' }, '/replyTo'],
    ] as const)
      refused(await send({ text, ...member }), 'validation_failed', pointer)
  })

  it('goes to at most fifty recipients, none of them suppressed', async () => {
    const { send, suppress } = await talk()
    const many = Array.from({ length: 49 }, (_, i) => `c${i}@copy.example`)
    equal((await send({ text: 'x', cc: many })).body.cc.length, 49)
    refused(await send({ text: 'x', cc: [...many, 'd@copy.example'] }), 'validation_failed', '/cc')
    refused(
      await send({ text: 'x', cc: many, bcc: ['d@copy.example'] }),
      'validation_failed',
      '/bcc',
    )
    await suppress('c7@copy.example')
    const answer = await send({ text: 'x', cc: ['a@copy.example'], bcc: ['C7@copy.example'] })
    refused(answer, 'recipient_suppressed', '/bcc/0')
  })

  it('has at most 25 MB of files', async () => {
    const { send, upload } = await talk()
    const text = 'x'
    const half = Buffer.alloc(13_107_200)
    const id = await upload(file('half.bin', half))
    equal((await send({ text, files: [id, file('b.bin', half)] })).status, 200)
    const more = Buffer.alloc(13_107_201)
    refused(await send({ text, files: [id, file('b.bin', more)] }), 'file_too_large', '/files')
    refused(
      await send({ text, files: [file('a.bin', half), file('b.bin', more)] }),
      'file_too_large',
    )
  })

  it('with large files leaves room for other calls of its token, and waits for others like it', async () => {
    const { send, call } = await talk()
    const files = [file('large.bin', Buffer.alloc(9_000_000))]
    const [one, two, ...others] = await Promise.all([
      send({ text: 'x', files }),
      send({ text: 'y', files }),
      ...Array.from({ length: 10 }, () => send({ text: 'z' })),
    ])
    deepEqual([one.status, two?.status, ...others.map(({ status }) => status)], Array(12).fill(200))
    equal((await call('GET', `/messages/${one.body.id}`)).body.files, 1)
  })

  it('through an account without e-mail has files alone', async () => {
    const { send } = await talk('messenger')
    const { body } = await send({ text: 'x', cc: [], files: [file('a.png')] })
    equal(body.files, 1)
    for (const [member, value] of [
      ['html', '<p>x</p>'],
      ['cc', ['a@copy.example']],
      ['bcc', ['a@copy.example']],
    ] as const)
      refused(await send({ text: 'x', [member]: value }), 'validation_failed', `/${member}`)
  })

  it('answers a given message of its conversation, or the last one received', async () => {
    const { send, call, path, row } = await talk()
    const first = (await call('GET', path)).body.messages[0].id
    const second = (await send({ text: 'x', replyTo: first })).body.id
    equal((await row(second)).repliesTo, first)
    equal((await call('GET', `/messages/${second}`)).body.inReplyTo, first)
    const third = (await send({ text: 'y', replyTo: second })).body.id
    equal((await call('GET', `/messages/${third}`)).body.inReplyTo, second)
    equal((await call('GET', `/messages/${first}`)).body.inReplyTo, null)
    const other = await talk()
    refused(await other.send({ text: 'x', replyTo: first }), 'validation_failed', '/replyTo')
  })

  it('is signed by the member whose account it is', async () => {
    const { send, row, id, member } = await talk()
    const signature = 'Ana Ruiz\nHalden & Roe'
    await service.db
      .updateTable('members')
      .set({ signature })
      .where('workspace', '=', id)
      .where('id', '=', member)
      .execute()
    const { body } = await send({
      text: 'Hello.',
      html: '<html><body><p>Hello.</p></body></html>',
      signature: true,
    })
    equal(body.text, `Hello.\n\n-- \n${signature}`)
    equal(
      (await row(body.id)).html,
      '<html><body><p>Hello.</p><br>\n<div>-- <br>\nAna Ruiz<br>\nHalden &amp; Roe</div>\n</body></html>',
    )
    equal((await send({ text: 'Hello.', signature: false })).body.text, 'Hello.')
    const block = '<br>\n<div>-- <br>\nAna Ruiz<br>\nHalden &amp; Roe</div>\n'
    for (const [begin, rest] of [
      ['<body><p>Hello.</p>', '</body><!-- </body> -->'],
      ['<p title="</body>">Hello.</p>', ''],
      ['<p>Hello.</p>', '<!-- </body> Bye.'],
    ] as const) {
      const made = (await send({ html: begin + rest, signature: true })).body
      equal((await row(made.id)).html, begin + block + rest)
    }
  })

  describe('POST /files', () => {
    it('keeps a file that messages take by its id, once or often', async () => {
      const { call, send, files, upload } = await talk()
      const { status, body } = await call('POST', '/files', file('offer.pdf', 'offer'))
      equal(status, 200)
      deepEqual(body, { id: body.id, name: 'offer.pdf', type: 'image/png', size: 5 })
      const other = await upload(file('a.png'))
      const first = (await send({ text: 'x', files: [file('z.png'), other, body.id] })).body
      const second = (await send({ text: 'y', files: [body.id] })).body
      deepEqual(
        (await files(first.id)).map(({ id, name }) => `${name} ${id === body.id || id === other}`),
        ['z.png false', 'a.png true', 'offer.pdf true'],
      )
      deepEqual(
        (await files(second.id)).map(({ name, content }) => `${name} ${content}`),
        ['offer.pdf offer'],
      )
      const theirs = await talk()
      refused(await theirs.send({ text: 'x', files: [body.id] }), 'validation_failed', '/files/0')
      equal((await theirs.call('GET', `/files/${body.id}`)).status, 404)
    })

    it('refuses what is too large or has no name', async () => {
      const { call } = await talk()
      const large = file('a.bin', Buffer.alloc(26_214_401))
      refused(await call('POST', '/files', large), 'file_too_large', '/content')
      equal((await call('POST', '/files', file('a.bin', Buffer.alloc(26_214_400)))).status, 200)
      refused(await call('POST', '/files', file('a\r\nb')), 'validation_failed', '/name')
      refused(await call('POST', '/files', { name: 'a' }), 'validation_failed', '/type')
    })
  })

  describe('POST /conversations', () => {
    const opening = async () => {
      const room = await talk()
      const via = room.connections[0]
      return { ...room, via, open: (body: object) => room.call('POST', '/conversations', body) }
    }

    it('opens a conversation with a person, and queues its first message', async () => {
      const { open, call, person, email, via } = await opening()
      const { status, body } = await open({ person, via, text: '\nA cold room?\nYours' })
      equal(status, 200)
      const { conversation, message } = body
      deepEqual(
        [conversation.person, conversation.kind, conversation.channel, conversation.subject],
        [person, 'email', via, 'A cold room?'],
      )
      deepEqual(
        [message.conversation, message.to, message.subject, message.state, message.via],
        [conversation.id, email, 'A cold room?', 'queued', via],
      )
      const read = (await call('GET', `/conversations/${conversation.id}`)).body
      equal(read.waitingFor, 'client')
      equal(read.subject, 'A cold room?')
      const [{ id, inReplyTo }] = (await call('GET', `/conversations/${conversation.id}/messages`))
        .body.messages
      deepEqual([id, inReplyTo], [message.id, null])
      const [start] = await service.db
        .selectFrom('outbox')
        .select(['workflowType', 'args'])
        .where('args', '@>', JSON.stringify([{ message: message.id }]) as never)
        .execute()
      equal(start?.workflowType, 'sendMessage')
    })

    it('writes to an address: of the person who has it, otherwise of one new card', async () => {
      const { open, call, person, email, via } = await opening()
      const known = await open({ to: ` ${email.toUpperCase()} `, via, text: 'x' })
      equal(known.body.conversation.person, person)
      const to = `new-${randomUUID().slice(0, 8)}@client.example`
      const both = await Promise.all([1, 2, 3, 4].map(() => open({ to, via, text: 'x' })))
      const people = new Set(both.map(({ body }) => body.conversation.person))
      equal(people.size, 1)
      const [made] = people
      deepEqual((await call('GET', `/people/${made}`)).body.emails, [to])
      const created = await eventsOf(
        call,
        ({ kind, resource }) => kind === 'person.created' && resource === made,
        1,
      )
      equal(created.length, 1)
    })

    it('is refused like a message, and leaves nothing', async () => {
      const { open, call, person, email, via, suppress, id } = await opening()
      const text = 'x'
      refused(await open({ via, text }), 'validation_failed', '/person')
      refused(await open({ via, text, person, to: email }), 'validation_failed', '/to')
      refused(await open({ via, text, person: 'per_none' }), 'validation_failed', '/person')
      refused(await open({ via, text, to: 'no address' }), 'validation_failed', '/to')
      refused(await open({ via: 'con_none', text, person }), 'validation_failed', '/via')
      refused(await open({ via, person }), 'validation_failed', '/text')
      refused(await open({ via, person, text, replyTo: 'msg_x' }), 'validation_failed', '/replyTo')
      const unsure = await open({ person, text })
      refused(unsure, 'sender_ambiguous', '/via')
      ok(unsure.body.candidates.some(({ id }: { id: string }) => id === via))
      const none = (await call('POST', '/people', { phone: '+34963941000' })).body.id
      refused(await open({ via, text, person: none }), 'no_contact', '/person')
      refused(await open({ text, person: none }), 'no_contact', '/person')
      const to = 'fresh@client.example'
      refused(
        await open({ via, text, to, html: '<img src="cid:a.png">' }),
        'validation_failed',
        '/html',
      )
      await suppress(email)
      refused(await open({ via, text, person }), 'recipient_suppressed', '/person')
      refused(await open({ via, text, to: email }), 'recipient_suppressed', '/to')
      const fresh = await service.db
        .selectFrom('addresses')
        .select('person')
        .where('workspace', '=', id)
        .where('value', '=', to)
        .execute()
      deepEqual(fresh, [])
      equal((await call('GET', '/conversations')).body.conversations.length, 1)
    })
  })
})
