import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { type Mailbox, openImap } from '../../../activities/ports/mail/imap.ts'
import { type ScriptedImap, scriptedImap } from '../../support/imap-server/index.ts'
import { type ProfileName, profiles } from '../../support/imap-server/profiles.ts'
import type { Answer, Row } from '../../support/imap-server/rows.ts'

const mail = (n: number) => ({
  from: 'ann@client.example',
  to: 'ana@us.example',
  subject: `Number ${n}`,
  messageId: `<${n}@client.example>`,
  text: `Text ${n}.`,
})

describe('a scripted IMAP server', () => {
  const opened: Mailbox[] = []
  const open = async ({ port }: ScriptedImap, user = 'ana@us.example', password = 'secret') => {
    const mailbox = await openImap({ host: '127.0.0.1', port, secure: false, user }, password)
    opened.push(mailbox)
    return mailbox
  }
  afterEach(() => Promise.all(opened.splice(0).map((mailbox) => mailbox.close())))

  for (const profile of Object.keys(profiles) as ProfileName[])
    it(`is read as ${profile} is`, async () => {
      const server = await scriptedImap({ profile })
      const login = 'ana@us.example'
      await server.deliver(login, mail(1))
      const mailbox = await open(server)
      const sent = await mailbox.sentPath()
      ok(sent, 'there is a folder of sent mail')
      await mailbox.append(sent, Buffer.from('Subject: sent\r\n\r\nText.\r\n'))
      equal(server.store.find(login, sent)?.entries.length, 1)
      await mailbox.open('INBOX')
      const news = mailbox.waitForMail(5_000, new AbortController().signal)
      await server.deliver(login, mail(2))
      await news
      const uids = (await mailbox.list(1)).map(({ uid }) => uid)
      deepEqual(uids, [1, 2])
      const raws = await mailbox.fetch(uids, 10_000)
      ok(raws.get(2)?.toString().includes('Text 2.'))
      equal((await mailbox.fetch([1], 10)).get(1)?.length, 10)
      deepEqual(await mailbox.search(2, null), [2])
      deepEqual(await mailbox.search(1, new Date(Date.now() + 2 * 86_400_000)), [])
      const [head] = await mailbox.heads([2])
      ok(head?.fields.includes('<2@client.example>'))
      equal(await mailbox.has('<2@client.example>'), true)
      equal(await mailbox.has('<9@client.example>'), false)
    })

  it('shows a mail of Gmail in the folder of all mail too, and names the folders it is in', async () => {
    const server = await scriptedImap({ profile: 'gmail' })
    await server.deliver('ana@us.example', mail(1))
    await server.deliver('ana@us.example', mail(2), { folder: '[Gmail]/Spam' })
    const mailbox = await open(server)
    const all = (await mailbox.folders()).find(({ role }) => role === 'all')
    equal(all?.path, '[Gmail]/All Mail')
    await mailbox.open('[Gmail]/All Mail')
    equal((await mailbox.list(1)).length, 1)
  })

  it('lets in who has the password, and no more sessions than its provider does', async () => {
    const server = await scriptedImap({
      profile: 'hoster',
      accepts: (_, password) => password === 'secret',
    })
    await rejects(open(server, 'ana@us.example', 'other'), { code: 'imap_login_refused' })
    for (let i = 0; i < 3; i++) await open(server)
    await rejects(open(server), { code: 'imap_too_many_sessions' })
    deepEqual(server.logins, { good: 3, refused: 2 })
    await opened.pop()?.close()
    await open(server)
  })

  it('lets in as Exchange does whom it then refuses everything', async () => {
    const server = await scriptedImap({ profile: 'outlook' })
    for (let i = 0; i < 8; i++) await open(server)
    await rejects(open(server).then((mailbox) => mailbox.open('INBOX')))
  })

  type Case = [
    title: string,
    verb: string,
    answer: Answer,
    seen: (box: Mailbox) => Promise<unknown>,
  ]
  const refused = (code: string) => (work: Promise<unknown>) => rejects(work, { code })
  const failing: Case[] = [
    [
      'refuses',
      'SELECT',
      { no: '[SERVERBUG] cannot' },
      (box) => refused('imap_error')(box.open('INBOX')),
    ],
    ['says BYE', 'SELECT', { bye: 'Bye' }, (box) => refused('imap_unreachable')(box.open('INBOX'))],
    ['closes', 'SELECT', { close: true }, (box) => refused('imap_unreachable')(box.open('INBOX'))],
    [
      'names no folder',
      'LIST',
      { empty: true },
      (box) => refused('imap_no_folders')(box.sentPath()),
    ],
  ]
  for (const [title, verb, answer, seen] of failing)
    it(`${title} where its table says so, and only then`, async () => {
      const server = await scriptedImap({ rows: [{ login: 'ben@us.example', verb, answer }] })
      await (await open(server)).open('INBOX')
      await seen(await open(server, 'ben@us.example'))
    })

  const fetching: [title: string, row: Omit<Row, 'verb'>, numbers: number[][]][] = [
    [
      'leaves out a mail',
      { when: { uid: 2, several: true, item: 'BODY[]' }, answer: { leaveOut: [2] } },
      [[1, 3], [2]],
    ],
    ['hides all in one session', { when: { session: 1 }, answer: { leaveOut: 'all' } }, [[], []]],
    [
      'does so at certain times',
      { when: { time: 2 }, answer: { leaveOut: 'all' } },
      [[1, 2, 3], []],
    ],
    [
      'does so after a while',
      { when: { after: 60_000 }, answer: { leaveOut: 'all' } },
      [[1, 2, 3], [2]],
    ],
  ]
  for (const [title, row, numbers] of fetching)
    it(`${title} where its table says so`, async () => {
      const server = await scriptedImap({ rows: [{ verb: 'FETCH', ...row }] })
      for (const n of [1, 2, 3]) await server.deliver('ana@us.example', mail(n))
      const mailbox = await open(server)
      await mailbox.open('INBOX')
      const all = await mailbox.fetch([1, 2, 3], 1_000)
      const one = await mailbox.fetch([2], 1_000)
      deepEqual([[...all.keys()], [...one.keys()]], numbers)
    })

  it('breaks off a literal, and gives some mails before it refuses', async () => {
    const server = await scriptedImap()
    for (const n of [1, 2, 3]) await server.deliver('ana@us.example', mail(n))
    server.rows.set([{ verb: 'FETCH', answer: { mails: 2, no: '[SERVERBUG] cannot read' } }])
    const mailbox = await open(server)
    await mailbox.open('INBOX')
    await rejects(mailbox.fetch([1, 2, 3], 1_000), { code: 'imap_error' })
    server.rows.set([{ verb: 'FETCH', answer: { cutAt: 10 } }])
    await rejects(mailbox.fetch([1], 1_000), { code: 'imap_unreachable' })
  })

  it('ends IDLE or refuses it, and counts mails that are not there', async () => {
    const server = await scriptedImap()
    const waited = async (login: string, answer: Answer) => {
      server.rows.set([{ verb: 'IDLE', answer }])
      const mailbox = await open(server, login)
      await mailbox.open('INBOX')
      const from = Date.now()
      await mailbox.waitForMail(2_000, new AbortController().signal)
      return { took: Date.now() - from, idles: server.counts(login)['IDLE'], mailbox }
    }
    for (const [login, answer] of Object.entries<Answer>({
      'ana@us.example': { endIdleMs: 300 },
      'ben@us.example': { no: 'IDLE not allowed' },
    })) {
      const { took, idles } = await waited(login, answer)
      ok(took > 1_900, `${took} ms`)
      equal(idles, 1)
    }
    const { took, mailbox } = await waited('cleo@us.example', { exists: 1 })
    ok(took < 1_000, `${took} ms`)
    deepEqual(await mailbox.list(1), [])
  })
})
