import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { listKnownMail } from '../../../db/archive/past-mail.ts'
import { newId } from '../../../db/ids.ts'
import { isOfOurs } from '../../../db/inbox/our-letters.ts'
import { receiveSent, type SentMail } from '../../../db/inbox/sent-elsewhere.ts'
import { keepLetterIds } from '../../../db/outgoing/letter-ids.ts'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('a letter that its provider has sent on under another id', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const given = async (state: 'sent' | 'sending' = 'sent') => {
    const sender = await givenSender(service)
    return { ...sender, ...(await lettersTo(service, sender, state)) }
  }
  type Given = Awaited<ReturnType<typeof given>>

  const keep = ({ id, connections, messageId }: Given, ids: string[]) => {
    const of = { workspace: id, connection: connections[0], messageId }
    return service.db
      .transaction()
      .execute((trx) => keepLetterIds(trx, of, ids, service.clock.now()))
  }
  const other = () => `0107019c-${randomUUID()}`
  const bounce = (email: string, ids: string[]) => ({
    from: { name: '', address: 'mailer-daemon@mx.example' },
    automated: true,
    report: {
      kind: 'bounce' as const,
      permanent: true,
      code: '5.1.1',
      recipients: [email],
      refersTo: ids,
    },
  })

  it('is stopped by an answer of a colleague that names that id alone', async () => {
    const letter = await given()
    const token = other()
    await keep(letter, [token])
    const { conversation } = await letter.receive({ automated: true })
    await service.db
      .insertInto('messages')
      .values({
        ...{
          id: newId('msg'),
          workspace: letter.id,
          conversation,
          connection: letter.connections[0],
        },
        ...{ direction: 'outbound', state: 'sent', senderName: '', senderHandle: 'ana@us.example' },
        ...{
          toAddress: letter.email,
          subject: 'A cold room',
          text: 'Hello.',
          touch: letter.ids[0],
        },
        ...{ messageId: letter.messageId, at: service.clock.now(), sentAt: service.clock.now() },
      })
      .execute()
    await letter.receive({
      from: { name: 'Kim', address: `kim-${randomUUID()}@client.example` },
      subject: 'Please write no more',
      references: [`<${token.toUpperCase()}@eu-west-1.amazonses.com>`],
    })
    deepEqual(await letter.states(), ['sent', 'failed replied', 'failed replied'])
  })

  it('is proven by a bounce that names that id alone', async () => {
    const letter = await given('sending')
    const token = other()
    await keep(letter, [token])
    await letter.receive(bounce(letter.email, [`<${token}@email.amazonses.com>`]))
    deepEqual(await letter.states(), ['failed bounced', 'failed bounced', 'failed bounced'])
  })

  it('is followed by no other if a bounce says that it came back, whatever the reason', async () => {
    const letter = await given('sending')
    const policy = bounce(letter.email, [letter.messageId])
    await letter.receive({
      ...policy,
      report: { ...policy.report, permanent: false, code: '5.7.1' },
    })
    deepEqual(await letter.states(), ['failed bounced', 'failed bounced', 'failed bounced'])
    const { suppressions } = (await letter.call('GET', '/suppressions')).body
    deepEqual(suppressions, [])
  })

  it('is not known by an id that is like it, nor by one of another workspace', async () => {
    const [letter, stranger] = [await given('sending'), await given('sending')]
    const token = other()
    await keep(letter, [token])
    await stranger.receive(bounce(stranger.email, [`<${token}@email.amazonses.com>`]))
    await letter.receive(bounce(letter.email, [`<${token}1@email.amazonses.com>`]))
    equal((await stranger.states())[0], 'sending unconfirmed')
    equal((await letter.states())[0], 'sending unconfirmed')
  })

  it('keeps an id that somebody else claims for their letter', async () => {
    const [letter, token] = [await given('sending'), other()]
    await keep(letter, [token])
    await keep({ ...letter, messageId: '<other@us.example>' }, [token])
    await letter.receive(bounce(letter.email, [`<${token}@email.amazonses.com>`]))
    equal((await letter.states())[0], 'failed bounced')
  })

  it('is known in Junk by that id alone, and where a ticket system answers it', async () => {
    const [letter, token] = [await given('sending'), other()]
    await keep(letter, [token])
    const id = `<${token.toUpperCase()}@email.amazonses.com>`
    const account = { workspace: letter.id, connection: letter.connections[0] }
    equal(await isOfOurs(service.db, account, [id]), true)
    equal(await isOfOurs(service.db, account, ['<theirs@client.example>']), false)
    await letter.receive({ weak: true, references: [id] })
    deepEqual((await letter.states()).slice(1), ['failed replied', 'failed replied'])
  })

  it('is not taken for another mail when the archive of its account is read', async () => {
    const [letter, token] = [await given(), other()]
    await keep(letter, [token])
    const account = { workspace: letter.id, connection: letter.connections[0] }
    const theirs = `<${token.toUpperCase()}@email.amazonses.com>`
    const known = await listKnownMail(service.db, account, [theirs, '<new@client.example>'])
    const sender = { senders: [], dated: null, isOurs: true }
    equal(known.has({ ...sender, messageId: theirs }), true)
    equal(known.has({ ...sender, messageId: theirs, isOurs: false }), false)
    equal(known.hasId('<new@client.example>'), false)
  })

  it('has no more than eight ids', async () => {
    const letter = await given()
    await keep(letter, Array.from({ length: 6 }, other))
    await keep(letter, Array.from({ length: 6 }, other))
    const rows = await service.db
      .selectFrom('letterIds')
      .select('id')
      .where('messageId', '=', letter.messageId)
      .execute()
    equal(rows.length, 8)
  })

  it('is found in Sent by the id that the provider has kept, and known by the new one from then on', async () => {
    const letter = await given()
    const { call, connections, email } = letter
    const opened = await call('POST', '/conversations', {
      ...{ to: email, text: 'Hello.', via: connections[0], subject: 'Offer' },
    })
    equal(opened.status, 200, opened.text)
    const { message } = opened.body
    const { senderHandle } = await service.db
      .updateTable('messages')
      .set({
        state: 'sending',
        reason: 'unconfirmed',
        attempt: 'a',
        claimedAt: service.clock.now(),
      })
      .set({ claimedDay: '2026-11-23' })
      .where('id', '=', message.id)
      .returning('senderHandle')
      .executeTakeFirstOrThrow()
    const theirs = `<${randomUUID()}@DB9.PROD.OUTLOOK.COM>`
    const copy: SentMail = {
      ...{ workspace: letter.id, connection: connections[0], messageId: theirs },
      ...{
        originalIds: [message.messageId],
        references: [],
        from: { name: '', address: senderHandle },
      },
      ...{
        to: [email],
        cc: [],
        bcc: [],
        subject: 'Offer',
        text: 'Hello.',
        html: null,
        files: [],
        dated: null,
      },
      at: service.clock.now(),
    }
    await service.db.transaction().execute((trx) => receiveSent(trx, copy, service.clock.now()))
    const read = (await call('GET', `/messages/${message.id}`)).body
    equal(read.state, 'sent')
    const answer = await letter.receive({
      subject: 'Something else',
      from: { name: 'Kim', address: `kim-${randomUUID()}@client.example` },
      references: [theirs.toLowerCase()],
    })
    equal(answer.conversation, opened.body.conversation.id)
    const shown = await letter.messages(answer.conversation)
    equal(
      shown.filter(({ direction }: { direction: string }) => direction === 'outbound').length,
      1,
    )
  })
})
