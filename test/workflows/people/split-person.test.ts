import { deepEqual, equal, ok } from 'node:assert/strict'
import { eventsOf } from '../../support/events.ts'
import { givenConversation } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

describe('POST /people/{id}/split', function () {
  this.timeout(60_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })
  beforeEach(() => mail.script({}))

  const phone = '+4930123456'
  /** Two people on one card. */
  async function given() {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { call } = workspace
    const { body } = await call('POST', '/people', { name: 'Anna', email: 'anna@x.test', phone })
    const id: string = body.id
    await call('POST', '/people', { into: id, email: 'bert@x.test', phone: '+4930654321' })
    return {
      ...workspace,
      person: id,
      split: (addresses: object, key?: string) =>
        call('POST', `/people/${id}/split`, addresses, key ? { key } : {}),
      read: async (of = id) => (await call('GET', `/people/${of}`)).body,
    }
  }

  it('moves the given addresses to a new card, with an audit line, events and a replayed answer', async () => {
    const { split, read, person, call } = await given()
    const { status, body, text } = await split(
      { emails: ['BERT@x.test'], phones: ['0049 30 654321'] },
      'split',
    )
    equal(status, 200, text)
    deepEqual(
      [body.name, body.emails, body.phones, body.email],
      ['', ['bert@x.test'], ['+4930654321'], 'bert@x.test'],
    )
    const old = await read()
    deepEqual([old.name, old.emails, old.phones], ['Anna', ['anna@x.test'], [phone]])
    deepEqual(await read(body.id), body)
    equal(
      (await split({ emails: ['BERT@x.test'], phones: ['0049 30 654321'] }, 'split')).text,
      text,
    )
    const [line] = (await call('GET', '/audit')).body.entries
    deepEqual([line.action, line.resource, line.after.person], ['person.split', person, body.id])
    await eventsOf(call, ({ kind }) => kind === 'person.split', 1)
    const events = (await call('GET', '/events')).body.events.slice(-2)
    deepEqual(events.map(({ kind, resource }: Record<string, string>) => [kind, resource]).sort(), [
      ['person.created', body.id],
      ['person.split', person],
    ])
    // From now on each address leads to its own card.
    equal((await call('POST', '/people', { email: 'bert@x.test' })).body.id, body.id)
    equal((await call('POST', '/people', { email: 'anna@x.test', phone })).body.id, person)
  })

  it('refuses addresses the card does not have, and leaving it without an address', async () => {
    const { split, call } = await given()
    const table: [object, string[]][] = [
      [{ emails: ['cem@x.test', 'bert@x.test'] }, ['/emails/0 not_on_card']],
      [{ phones: ['nothing', '+4930111111'] }, ['/phones/0 not_on_card', '/phones/1 not_on_card']],
      [
        { emails: ['anna@x.test', 'bert@x.test'], phones: [phone, '+4930654321'] },
        ['/emails nothing_left'],
      ],
      [{}, [' invalid_value']],
      [{ emails: [], phones: null }, [' invalid_value']],
      [{ linkedin: ['x'] }, ['/linkedin unknown_member', ' invalid_value']],
    ]
    for (const [body, named] of table) {
      const reply = await split(body)
      equal(reply.status, 422, reply.text)
      deepEqual(
        reply.body.errors.map(
          ({ pointer, code }: Record<string, string>) => `${pointer} ${code}`,
        )[0],
        named[0],
      )
    }
    equal((await call('POST', '/people/per_x/split', { emails: ['a@b.test'] })).status, 404)
    equal((await call('GET', '/people')).body.people.length, 1)
  })

  it('moves the conversations in which nobody else wrote, with their name', async () => {
    const { split, person, call, connections, id: workspace } = await given()
    const { db, clock } = service
    const at = clock.now()
    const conversation = (from: string) =>
      givenConversation(db, workspace, { person, connection: connections[0], from, at })
    const [anna, bert, both] = [
      await conversation('anna@x.test'),
      await conversation('Bert@x.test'),
      await conversation('bert@x.test'),
    ]
    await db
      .updateTable('messages')
      .set({ senderName: 'Bert Cole' })
      .where('conversation', '=', bert)
      .execute()
    await db
      .insertInto('messages')
      .values({
        id: `msg_${both}`,
        workspace,
        conversation: both,
        direction: 'outbound',
        at,
        senderName: 'Ana',
        senderHandle: 'ana@us.example',
        toAddress: 'anna@x.test',
        connection: connections[0],
        state: 'sent',
        subject: '',
        text: 'Hello.',
      })
      .execute()
    const { body } = await split({ emails: ['bert@x.test'] })
    equal(body.name, 'Bert Cole')
    const owners = await Promise.all(
      [anna, bert, both].map(async (id) => (await call('GET', `/conversations/${id}`)).body.person),
    )
    deepEqual(owners, [person, body.id, person])
  })

  it('continues the campaign letters to the address, including one on its way', async () => {
    const campaign = await givenCampaign(service, mail, { people: 2, places: [1, 2] })
    const { call, people, emails, move, campaign: id, db } = campaign
    // The letters go to the second address, which is somebody else's.
    const [person = ''] = people
    await call('POST', '/people', { into: person, email: `second-${emails[0]}` })
    const over = Promise.withResolvers<undefined>()
    mail.script({ onData: ({ to }) => (to[0] === emails[0] ? over.promise : undefined) })
    await move('running')
    const touches = async () =>
      (await call('GET', `/campaigns/${id}/touches`)).body.touches as Record<string, string>[]
    await eventually(touches, (all) =>
      all.some((touch) => touch['person'] === person && touch['state'] === 'sending'),
    )
    const { body, text, status } = await call('POST', `/people/${person}/split`, {
      emails: [emails[0]],
    })
    equal(status, 200, text)
    over.resolve(undefined)
    const all = await eventually(
      touches,
      (now) => now.filter(({ state }) => state === 'sent').length === 2,
    )
    deepEqual(
      all
        .filter((touch) => touch['person'] === body.id)
        .map(({ place, state }) => `${place} ${state}`)
        .sort(),
      ['1 sent', '2 queued'],
    )
    // The person who stays is in the segment too, and is still to get a first letter of their own.
    const stays = all.filter((touch) => touch['person'] === person)
    ok(stays.every(({ place, state }) => `${place} ${state}` === '1 queued'))
    const members = (await call('GET', `/segments/${campaign.segment}/people`)).body.people
    equal(members.length, 3)
    const conversations = await db
      .selectFrom('conversations')
      .select('person')
      .where('workspace', '=', campaign.id)
      .execute()
    deepEqual(conversations.map(({ person }) => person).sort(), [people[1], body.id].sort())
  })
})
