import { deepEqual, equal } from 'node:assert/strict'
import { unlikeTheirShape } from '../../support/event-data.ts'
import { eventsOf, type Told, withoutCall } from '../../support/events.ts'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

// What the feed says of people to whom no more letters go, or whose letters wait, because of something that came in.

const hour = 60 * 60 * 1000

describe('a message that comes in is told of', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(async () => {
    const unlike = await unlikeTheirShape(service.db)
    await service.close()
    deepEqual(unlike, [])
  })

  async function given() {
    const sender = await givenSender(service)
    const letters = await lettersTo(service, sender, 'sending')
    const isAbout = ({ kind }: Told) => /^(?:person|suppression)\./.test(kind)
    const from = { name: '', address: 'postmaster@provider.example' }
    let mails = 0
    return {
      ...sender,
      ...letters,
      alsoAt: async (emails: string[]) =>
        equal((await sender.call('PATCH', `/people/${sender.person}`, { emails })).status, 200),
      /** Something that a server reports, with what proves it. */
      report: (kind: 'bounce' | 'complaint', id = letters.messageId) =>
        sender.receive({
          ...{ automated: true, from, externalId: `<${sender.id}-${++mails}@provider>` },
          report: { kind, permanent: true, code: null, recipients: [sender.email], refersTo: [id] },
        }),
      /** The events about people and suppressions, as soon as there are so many. */
      told: async (count: number) => {
        const found = await eventsOf(sender.call, isAbout, count)
        return found.map(({ kind, resource, data }) => ({
          ...{ kind, resource, data: withoutCall(data) },
        }))
      },
      suppressions: async () =>
        (await sender.call('GET', '/suppressions')).body.suppressions as {
          id: string
          address: string
          reason: string
        }[],
    }
  }

  const added = (resource: string, reason: string, person: string) => ({
    ...{ kind: 'suppression.added', resource },
    data: { reason, person, members: ['address', 'reason'] },
  })
  const about = (kind: string, person: string) => ({ kind, resource: person, data: { person } })
  const edited = (person: string) => ({
    ...{ kind: 'person.edited', resource: person, data: { members: ['held'] } },
  })

  it('as a complaint and a suppression, once, when a report proves its letter', async () => {
    const { report, told, suppressions, person } = await given()
    for (const _ of ['once', 'twice']) await report('complaint')
    const [entry] = await suppressions()
    deepEqual(await told(2), [
      added(entry?.id ?? '', 'complaint', person),
      about('person.complained', person),
    ])
  })

  it('as a complaint and a suppression of each address of the person', async () => {
    const { report, told, suppressions, person, email, alsoAt } = await given()
    await alsoAt([email, 'cleo-2@client.example'])
    await report('complaint')
    const entries = await suppressions()
    equal(entries.length, 2)
    const [, ...events] = await told(4)
    deepEqual(
      events.toSorted((a, b) => a.resource.localeCompare(b.resource)),
      [
        ...entries.map(({ id, reason }) => added(id, reason, person)),
        about('person.complained', person),
      ].toSorted((a, b) => a.resource.localeCompare(b.resource)),
    )
    equal(events.at(-1)?.kind, 'person.complained')
  })

  it('as a complaint also where the address is no longer on the card', async () => {
    const { report, told, suppressions, person, email, alsoAt } = await given()
    await alsoAt(['other@client.example'])
    await report('complaint')
    const entries = await suppressions()
    equal(
      entries.some(({ address }) => address === email),
      true,
    )
    const kinds = (await told(entries.length + 2)).map(({ kind }) => kind)
    deepEqual(kinds, [
      'person.edited',
      ...entries.map(() => 'suppression.added'),
      'person.complained',
    ])
    equal(person.startsWith('per_'), true)
  })

  it('as a suppression alone, once, when a letter bounces', async () => {
    const { report, told, suppressions, person } = await given()
    for (const _ of ['once', 'twice']) await report('bounce')
    const [entry] = await suppressions()
    deepEqual(await told(1), [added(entry?.id ?? '', 'bounce', person)])
  })

  it('as an unsubscribe and a suppression when somebody asks for it', async () => {
    const { receive, told, suppressions, person } = await given()
    for (const _ of ['once', 'twice']) await receive({ text: 'Unsubscribe me, please.' })
    const [entry] = await suppressions()
    deepEqual(await told(2), [
      added(entry?.id ?? '', 'unsubscribe', person),
      about('person.unsubscribed', person),
    ])
  })

  it('as an edit of the person whose letters wait, unless that changes nothing', async () => {
    const { receive, report, told, person, call } = await given()
    const until = new Date(service.clock.now().getTime() + 5 * 24 * hour)
    for (const _ of ['once', 'twice']) await receive({ automated: true, outOfOfficeUntil: until })
    deepEqual(await told(1), [edited(person)])
    // A doubt holds for three days, which is less.
    await report('bounce', '<guessed@us.example>')
    deepEqual(await told(1), [edited(person)])
    await call('PATCH', `/people/${person}`, { held: null })
    deepEqual(await told(2), [edited(person), edited(person)])
  })

  it('as an edit of the person whose letters wait for a report without proof', async () => {
    const { report, told, person } = await given()
    for (const _ of ['once', 'twice']) await report('bounce', '<guessed@us.example>')
    deepEqual(await told(1), [edited(person)])
  })
})
