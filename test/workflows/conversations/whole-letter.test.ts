import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Context } from 'mocha'
import PostalMime from 'postal-mime'
import { openImap } from '../../../activities/ports/mail/imap.ts'
import { newId } from '../../../db/ids.ts'
import { followed } from '../../support/followed.ts'
import { givenClient } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { givenMailboxes } from '../../support/inbox.ts'
import { type TestMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

const image = Buffer.from('89504e470d0a1a0a', 'hex')
const type = 'application/pdf'
const files = [
  { name: 'logo.png', type: 'image/png', cid: 'logo.png', content: image },
  { name: '図 1.png', type: 'image/png', cid: '図 1.png', content: image },
  { name: `${'見積書'.repeat(65)}.pdf`, type, cid: null, content: Buffer.alloc(300_000, 1) },
  { name: `${'long name '.repeat(19)}end.pdf`, type, cid: null, content: Buffer.from('a') },
  {
    name: 'mail.eml',
    type: 'message/rfc822',
    cid: null,
    content: Buffer.from('Subject: ö\n\nx\n'),
  },
]

const only = ['rows', 'send', 'remote', 'mail'] as const

describe('a whole letter', function () {
  this.timeout(120_000)
  let service: TestService
  let mail: TestMailboxes
  before(async function () {
    this.timeout(120_000)
    mail = await testMailboxes(this.test?.ctx)
    service = await startService()
  })
  after(() => service?.close())
  afterEach(() => mail.sink.script({}))

  async function given() {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const client = await givenClient(service.db, workspace, service.clock.now())
    const { call } = workspace
    const [connection] = workspace.connections
    const tag = randomUUID().slice(0, 8)
    /** Accepts a message and gives it what a whole letter has; nothing works on it yet. */
    const accept = async (
      whole: Partial<{ html: string; cc: string[]; bcc: string[]; repliesTo: string }> = {},
      attached: typeof files = [],
    ) => {
      const key = randomUUID()
      const path = `/conversations/${client.conversation}/messages`
      const { status, body, text } = await call('POST', path, { text: 'Hello' }, { key })
      equal(status, 200, text)
      const id = body.id as string
      if (Object.keys(whole).length > 0)
        await service.db.updateTable('messages').set(whole).where('id', '=', id).execute()
      for (const { content, ...file } of attached)
        await service.db
          .insertInto('files')
          .values({
            ...{ id: newId('fil'), workspace: workspace.id, message: id, content, ...file },
            size: content.length,
          })
          .execute()
      const row = () =>
        service.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      const arrived = async () => {
        const { messageId } = await row()
        return mail.sink.messages().filter((one) => one.messageId === messageId)
      }
      return { id, row, arrived, ...followed(call, key, 60_000) }
    }
    const { account } = await service.db
      .selectFrom('connections')
      .select('account')
      .where('id', '=', connection)
      .executeTakeFirstOrThrow()
    return {
      ...workspace,
      ...client,
      account,
      accept,
      address: (name: string) => `${name}-${tag}@client.example`,
    }
  }

  /** The mails in the Sent folder of an account as they are there. */
  const inSent = (account: string, count: number) =>
    eventually(
      // A server that is busy may end a connection.
      () => foundInSent(account).catch(() => []),
      (found) => found.length >= count,
      60_000,
    )

  async function foundInSent(account: string) {
    const server = { host: '127.0.0.1', port: mail.imapPort, secure: false, user: account }
    const mailbox = await openImap(server, 'secret')
    try {
      const path = await mailbox.sentPath()
      if (!path) return []
      await mailbox.open(path)
      const uids = (await mailbox.list(1)).map(({ uid }) => uid)
      return [...(await mailbox.fetch(uids, 50_000_000)).values()]
    } finally {
      await mailbox.close()
    }
  }

  const taskQueue = `whole-${randomUUID()}`
  const working = async (context: Context | undefined, work: () => Promise<unknown>) => {
    // One queue for all workers: who reads the mailboxes goes on with the next.
    const worker = await service.work(context, { mailWaitMs: 300 }, { only, taskQueue })
    try {
      await work()
    } finally {
      await worker.stop()
    }
  }

  it('reaches all its recipients in one piece, and its copy in Sent is the same, also after a restart', async function () {
    const { accept, account, address, connections, member, person } = await given()
    const [cc, bcc] = [address('cc'), address('bcc')]
    const html = '<p>Hello <img src="cid:logo.png"><img src="cid:%E5%9B%B3%201.png"></p>'
    const first = await accept({ html, cc: [cc], bcc: [bcc] }, files)
    const plain = await accept({})
    await working(this.test?.ctx, async () => {
      equal((await first.ended()).state, 'done')
      equal((await plain.ended()).state, 'done')
    })
    const [letter, ...more] = await first.arrived()
    deepEqual(more, [])
    equal(letter?.to.length, 3)
    deepEqual(letter?.to.slice(1), [cc, bcc])
    ok(!letter?.raw.includes(bcc))
    const read = await PostalMime.parse(letter?.raw ?? '')
    deepEqual(
      read.cc?.map((one) => one.address),
      [cc],
    )
    deepEqual(
      read.attachments.map(({ filename, content }) => [
        filename,
        Buffer.from(content as ArrayBuffer).toString('hex'),
      ]),
      files.map(({ name, content }) => [name, content.toString('hex')]),
    )
    for (const { contentId } of read.attachments.slice(0, 2))
      ok(read.html?.includes(`cid:${contentId?.slice(1, -1)}`), contentId)

    // Whatever is renamed meanwhile, and whoever files it.
    const { db } = service
    await db.updateTable('members').set({ name: 'Anna' }).where('id', '=', member).execute()
    await db.updateTable('people').set({ name: 'Other' }).where('id', '=', person).execute()
    await accept({})
    await working(this.test?.ctx, async () => {
      await givenMailboxes(service, mail, [connections[0]])
      const sent = (await inSent(account, 3)).map((raw) => raw.toString('latin1'))
      for (const one of [first, plain]) {
        const went = (await one.arrived())[0]?.raw as string
        ok(sent.includes(went), [went, ...sent].map((raw) => raw.slice(0, 1500)).join('\n====\n'))
      }
    })
  })

  it('that a caller has posted arrives with all that was given, and says who did not get it', async function () {
    const { call, conversation, address } = await given()
    const [cc, gone] = [address('cc'), address('gone')]
    mail.sink.script({ onRcpt: (to) => (to === gone ? { code: 550, text: 'No' } : undefined) })
    const key = randomUUID()
    const { status, body, text } = await call(
      'POST',
      `/conversations/${conversation}/messages`,
      {
        html: '<p>See <img src="cid:図 1.png"></p>',
        subject: 'Angebot für Sie',
        cc: [cc],
        bcc: [gone],
        files: files.map(({ name, type: kind, content }) => ({
          ...{ name, type: kind },
          content: content.toString('base64'),
        })),
      },
      { key },
    )
    equal(status, 200, text)
    await working(this.test?.ctx, async () => {
      equal((await followed(call, key, 60_000).ended()).state, 'done')
    })
    const { body: message } = await call('GET', `/messages/${body.id}`)
    deepEqual([message.state, message.refused], ['sent', [{ address: gone, code: '550' }]])
    const arrived = mail.sink.messages().filter(({ to }) => to.includes(cc))
    equal(arrived.length, 1)
    const read = await PostalMime.parse(arrived[0]?.raw ?? '')
    equal(read.subject, 'Angebot für Sie')
    equal(read.text?.trim(), 'See')
    const inline = read.attachments.filter(({ disposition }) => disposition === 'inline')
    deepEqual(
      inline.map(({ filename }) => filename),
      ['図 1.png'],
    )
    ok(read.html?.includes(`cid:${inline[0]?.contentId?.slice(1, -1)}`))
    deepEqual(
      read.attachments.map(({ filename }) => filename).toSorted(),
      files.map(({ name }) => name).toSorted(),
    )
  })

  it('is refused as a whole if its first recipient is', async function () {
    const { accept, address, email } = await given()
    mail.sink.script({
      onRcpt: (to) => (to === email ? { code: 550, text: '5.1.1 No' } : undefined),
    })
    const message = await accept({ cc: [address('cc')], bcc: [address('bcc')] })
    await working(this.test?.ctx, async () => {
      const { state, result } = await message.ended()
      deepEqual(
        [state, result.state, result.reason, result.code],
        ['failed', 'failed', 'refused', '5.1.1'],
      )
    })
    deepEqual(await message.arrived(), [])
  })

  it('goes to the others if further recipients are refused or were suppressed meanwhile', async function () {
    const { id, accept, address, connections, account } = await given()
    const [cc, gone] = [address('cc'), address('gone')]
    const [later, stopped] = [address('later'), address('stopped')]
    const answers: Record<string, { code: number; text: string }> = {
      [gone]: { code: 550, text: '5.1.1 No' },
      [later]: { code: 451, text: 'Later' },
    }
    mail.sink.script({ onRcpt: (to) => answers[to] })
    const message = await accept({ cc: [stopped.toUpperCase(), gone, cc], bcc: [later] })
    await service.db
      .insertInto('suppressions')
      .values({
        ...{ id: newId('sup'), workspace: id, address: stopped, reason: 'bounce' },
        at: service.clock.now(),
      })
      .execute()
    await working(this.test?.ctx, async () => {
      equal((await message.ended()).state, 'done')
      await givenMailboxes(service, mail, [connections[0]])
      const [copy] = await inSent(account, 1)
      equal(copy?.toString('latin1'), (await message.arrived())[0]?.raw)
    })
    const arrived = await message.arrived()
    equal(arrived.length, 1)
    deepEqual(arrived[0]?.to.slice(1), [cc])
    match(arrived[0]?.raw ?? '', new RegExp(`^Cc: ${gone}, ${cc}\\r?$|^Cc: ${gone},\\s+${cc}`, 'm'))
    ok(!arrived[0]?.raw.toLowerCase().includes(stopped))
    const { state, refused } = await message.row()
    equal(state, 'sent')
    deepEqual(refused, [
      { address: stopped.toUpperCase(), code: 'suppressed' },
      { address: gone, code: '5.1.1' },
      { address: later, code: '451' },
    ])
  })

  it('answers the message that was chosen, and not the last one', async function () {
    const { accept } = await given()
    const [first, second] = [await accept(), await accept()]
    const third = await accept({ repliesTo: first.id })
    await working(this.test?.ctx, async () => {
      for (const one of [first, second, third]) equal((await one.ended()).state, 'done')
    })
    const raw = (await third.arrived())[0]?.raw ?? ''
    const { messageId } = await first.row()
    const head = raw.split('\r\n\r\n')[0]?.replace(/\r\n\s/g, ' ') ?? ''
    ok(head.includes(`In-Reply-To: ${messageId}`), head)
    ok(!head.includes((await second.row()).messageId as string))
  })

  it('of a campaign has its unsubscribe line in HTML too, and its copy is the same', async function () {
    await working(this.test?.ctx, async () => {
      const hours = { from: '22:00', to: '23:00' }
      const campaign = await givenCampaign(service, mail.sink, { people: 1, places: [1], hours })
      const { call, agent, emails, connections, member } = campaign
      await givenMailboxes(service, mail, connections)
      await campaign.move('running')
      const text = {
        ...{ subject: 'Grüße', text: 'Hello', html: '<html><body><p>Hello</p></body></html>' },
        ...{
          language: 'en' as const,
          agreed: true,
          writtenAt: service.clock.now(),
          signedBy: member,
        },
        ...{ toAddress: emails[0] as string, token: randomUUID(), brief: 1 },
      }
      const changed = await service.db
        .updateTable('touches')
        .set(text)
        .where('campaign', '=', campaign.campaign)
        .executeTakeFirst()
      equal(changed.numUpdatedRows, 1n)
      await call('PATCH', `/agents/${agent}`, { hours: { from: '00:00', to: '24:00' } })
      const [letter] = await eventually(
        async () => campaign.letters(),
        (found) => found.length > 0,
        60_000,
      )
      const read = await PostalMime.parse(letter?.raw ?? '')
      const line = new RegExp(
        `<p>Hello</p><p>-- <br>No more of these letters: <a href="[^"]+/u/${text.token}">[^<]+</a></p>\\s*</body>`,
      )
      match(read.html ?? '', line)
      match(read.text ?? '', /No more of these letters: /)
      const [copy] = await inSent(letter?.from ?? '', 1)
      equal(copy?.toString('latin1'), letter?.raw)
    })
  })
})
