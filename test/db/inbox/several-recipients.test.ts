import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { receiveSent, type SentMail } from '../../../db/inbox/sent-elsewhere.ts'
import { givenPeople } from '../../support/given.ts'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

// A mail of ours that a member has written to several people with a mail program. An answer is its writer's.

describe('a letter of ours to several people', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** Cleo and Mark, both with letters of a campaign to come, and a mail to them. */
  async function given(to: (cleo: string, mark: string) => Partial<SentMail>) {
    const cleo = await givenSender(service)
    const { db, clock } = service
    const email = `mark-${randomUUID()}@client.example`
    const [person = ''] = await givenPeople(db, cleo.id, [{ name: 'Mark', email }], clock.now())
    const lettersOfCleo = await lettersTo(service, cleo)
    const lettersOfMark = await lettersTo(service, { ...cleo, person, email })
    const account = await db
      .selectFrom('connections')
      .select('account')
      .where('id', '=', cleo.connections[0])
      .executeTakeFirstOrThrow()
    const messageId = `<CAF+${randomUUID()}@mail.example>`
    const at = new Date(clock.now().getTime() - 60_000)
    const mail: SentMail = {
      ...{ workspace: cleo.id, connection: cleo.connections[0], messageId, originalIds: [] },
      ...{ references: [], from: { name: 'Ana', address: account.account }, bcc: [], html: null },
      ...{
        subject: 'Two cold rooms',
        text: 'Which of you?',
        at,
        dated: at,
        files: [],
        cc: [],
        to: [],
      },
      ...to(cleo.email, email),
    }
    await db.transaction().execute((trx) => receiveSent(trx, mail, clock.now()))
    const [ours] = (await cleo.call('GET', '/conversations')).body.conversations
    const answer = (address: string, more = {}) =>
      cleo.receive({
        from: { name: 'M', address },
        // Some programs name it in small letters.
        references: [messageId.toLowerCase()],
        subject: 'Re: Two cold rooms',
        ...more,
      })
    const reply = async (conversation: string, more = {}) =>
      (
        await cleo.call('POST', `/conversations/${conversation}/messages`, {
          text: 'Yes.',
          ...more,
        })
      ).body
    return { ...cleo, mark: { person, email }, lettersOfCleo, lettersOfMark, ours, answer, reply }
  }

  const ways: [string, (cleo: string, mark: string) => Partial<SentMail>][] = [
    ['both in To', (cleo, mark) => ({ to: [cleo, mark] })],
    ['one in Cc', (cleo, mark) => ({ to: [cleo], cc: [mark] })],
    ['one in Bcc', (cleo, mark) => ({ to: [cleo], bcc: [mark] })],
  ]
  for (const [what, to] of ways)
    it(`is answered by one for themselves: ${what}`, async () => {
      const { answer, reply, read, ours, mark, person, ...all } = await given(to)
      equal(ours.person, person)
      const { conversation } = await answer(mark.email)
      notEqual(conversation, ours.id)
      equal((await read(conversation)).person, mark.person)
      deepEqual(await all.lettersOfMark.states(), ['sent', 'failed replied', 'failed replied'])
      deepEqual(await all.lettersOfCleo.states(), ['sent', 'queued', 'review'])
      const { to: recipient, subject } = await reply(conversation)
      deepEqual([recipient, subject], [mark.email, 'Re: Two cold rooms'])
      // And so is the next one, though it refers to the letter to both.
      equal((await answer(mark.email, { text: 'And?' })).conversation, conversation)
      const other = await answer(all.email)
      equal(other.conversation, ours.id)
      deepEqual(await all.lettersOfCleo.states(), ['sent', 'failed replied', 'failed replied'])
    })

  it('is answered in its conversation by somebody without a card, who is answered then', async () => {
    const office = 'office@client.example'
    const { answer, reply, ours, call, ...all } = await given((cleo) => ({
      to: [cleo],
      cc: [office],
    }))
    const before = (await call('GET', '/people')).body.people.length
    equal((await answer(office)).conversation, ours.id)
    equal((await call('GET', '/people')).body.people.length, before)
    equal((await reply(ours.id)).to, office)
    deepEqual(await all.lettersOfCleo.states(), ['sent', 'failed replied', 'failed replied'])
  })

  it('is still the conversation of its person where somebody else answers whom it did not go to', async () => {
    const { answer, reply, ours, mark, email } = await given((cleo) => ({ to: [cleo] }))
    equal((await answer(mark.email)).conversation, ours.id)
    equal((await reply(ours.id)).to, email)
  })
})
