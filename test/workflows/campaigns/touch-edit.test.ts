import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { eventsOf } from '../../support/events.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

type Touch = {
  id: string
  person: string
  place: number
  state: string
  reason: string | null
  subject: string | null
  text: string | null
  html: string | null
  agreed: boolean
}

describe('PATCH /campaigns/{id}/touches/{touch}', function () {
  this.timeout(90_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })

  /** A running campaign that sends nothing before its hours, or whose first letters wait in review. */
  async function given({
    people = 2,
    places = [1, 2, 3] as (1 | 2 | 3)[],
    waits = true,
    templates = [] as object[],
  } = {}) {
    const hours = waits ? { daysOff: ['mon', 'tue', 'wed', 'thu', 'fri'] } : {}
    const campaign = await givenCampaign(service, mail, { people, places, hours })
    const { call, campaign: id, agent } = campaign
    if (templates.length > 0) equal((await campaign.write({ templates })).status, 200)
    await campaign.move('running')
    const touches = () => campaign.touches() as Promise<Touch[]>
    const path = (touch: Touch) => `/campaigns/${id}/touches/${touch.id}`
    return {
      ...campaign,
      touches,
      edit: (touch: Touch, body: object) => call('PATCH', path(touch), body),
      read: async (touch: Touch) => (await call('GET', path(touch))).body as Touch,
      /** Changes the brief, which withdraws what was agreed. */
      rename: () => campaign.edit({ goal: 'Another goal' }),
      numbers: async () => (await call('GET', `/campaigns/${id}`)).body.funnel,
      begin: () => call('PATCH', `/agents/${agent}`, { hours: { daysOff: [] } }),
      reviewed: () => eventually(touches, (all) => all.every(({ state }) => state === 'review')),
    }
  }
  const one = (touches: Touch[]) => touches[0] as Touch

  it('gives one person own words, which go as they are, with the unsubscribe line', async () => {
    const { touches, edit, read, begin, arrived } = await given()
    const touch = one(await touches())
    const words = { subject: 'Only for you', text: 'Dear you,\n\nthis is mine.' }
    const { status, body, text } = await edit(touch, { ...words, html: '<p>Dear <b>you</b></p>' })
    equal(status, 200, text)
    deepEqual(
      [body.state, body.subject, body.text, body.html],
      ['queued', words.subject, words.text, '<p>Dear <b>you</b></p>'],
    )
    deepEqual(await read(touch), body)
    await begin()
    const sent = await arrived(2)
    const own = sent.filter(({ subject }) => subject === words.subject)
    equal(own.length, 1)
    match(own[0]?.text ?? '', /^Dear you,\s+this is mine\.\s+-- \n.*\/u\//s)
    const raw = own[0]?.raw.replaceAll('=\r\n', '') ?? ''
    match(raw, /<p>Dear <b>you<\/b><\/p>\s*<p>.*\/u\//s)
    equal((await read(touch)).state, 'sent')
  })

  it('makes what is missing of the words: the subject, the text of HTML', async () => {
    const { touches, edit } = await given()
    const [first, second] = (await touches()) as [Touch, Touch]
    equal((await edit(first, { text: '\nA question\nand more' })).body.subject, 'A question')
    const made = (await edit(second, { html: '<p>One</p><p>Two</p>' })).body
    deepEqual([made.subject, made.text], ['One', 'One\n\nTwo'])
    // Other words take the place of the HTML too; another subject leaves the words.
    deepEqual((await edit(second, { text: 'Three' })).body.html, null)
    deepEqual((await edit(second, { subject: 'S' })).body.text, 'Three')
  })

  it('keeps own words when the brief changes, and sends them when their place is agreed', async () => {
    const { touches, edit, read, write, rename, begin, arrived } = await given({ people: 1 })
    const touch = one(await touches())
    await edit(touch, { subject: 'Mine', text: 'My words.' })
    await rename()
    await begin()
    equal((await write({ write: [1], agree: [1] })).status, 200)
    const [letter] = await arrived(1)
    deepEqual([letter?.subject, (await read(touch)).text], ['Mine', 'My words.'])
  })

  it('keeps own words in review when the brief changes, for the agreement to come', async () => {
    const { edit, read, write, rename, arrived, reviewed } = await given({
      people: 1,
      places: [],
      waits: false,
    })
    const touch = one(await reviewed())
    equal((await edit(touch, { subject: 'Mine', text: 'My words.' })).body.state, 'review')
    await rename()
    await write({ write: [1], agree: [1] })
    const [letter] = await arrived(1)
    deepEqual([letter?.subject, (await read(touch)).text], ['Mine', 'My words.'])
  })

  it('releases one letter in review, which goes while its place is not agreed', async () => {
    const { edit, read, letters, reviewed, touches } = await given({ places: [], waits: false })
    const [first, second] = (await reviewed()) as [Touch, Touch]
    const { status, body } = await edit(first, { agreed: true })
    deepEqual([status, body.state, body.agreed], [200, 'queued', true])
    await eventually(
      () => read(first),
      ({ state }) => state === 'sent',
      30_000,
    )
    equal(letters().length, 1)
    equal((await read(second)).state, 'review')
    ok((await touches()).some(({ place }) => place === 2))
  })

  it('skips a first letter: it fails, and none comes back to it', async () => {
    const { edit, touches, numbers, begin, letters, call } = await given()
    const [first] = (await touches()) as [Touch]
    const { status, body } = await edit(first, { skip: true })
    deepEqual([status, body.state, body.reason], [200, 'failed', 'skipped'])
    const [told] = await eventsOf(
      call,
      ({ kind, resource }) => kind === 'touch.failed' && resource === first.id,
      1,
    )
    equal(told?.data.reason, 'skipped')
    await begin()
    await eventually(touches, (all) => all.some(({ place }) => place === 2), 30_000)
    equal(letters().length, 1)
    const { skipped, failed } = await numbers()
    deepEqual([skipped, failed], [1, 0])
    equal((await touches()).filter(({ person }) => person === first.person).length, 1)
  })

  it('skips a second letter: the third answers the first at its time, unless something stops it', async () => {
    const { edit, touches, numbers, call, letters, emails, people, db, ...more } = await given({
      waits: false,
    })
    const seconds = await eventually(
      async () => (await touches()).filter(({ place }) => place === 2),
      (all) => all.length === 2,
      30_000,
    )
    for (const touch of seconds) equal((await edit(touch, { skip: true })).body.reason, 'skipped')
    equal((await edit(one(seconds), { skip: true })).status, 409)
    const thirds = () =>
      db
        .selectFrom('touches')
        .selectAll()
        .where('campaign', '=', more.campaign)
        .where('place', '=', 3)
        .execute()
    const planned = await thirds()
    deepEqual(
      planned.map(({ state }) => state),
      ['queued', 'queued'],
    )
    for (const { person, dueAt, connection, conversation } of planned) {
      const second = await db
        .selectFrom('touches')
        .selectAll()
        .where('campaign', '=', more.campaign)
        .where('place', '=', 2)
        .where('person', '=', person)
        .executeTakeFirstOrThrow()
      deepEqual([connection, conversation], [second.connection, second.conversation])
      // Five weekdays are a week.
      equal(dueAt.getTime() - second.dueAt.getTime(), 7 * 24 * 60 * 60_000)
    }
    equal((await call('POST', '/suppressions', { address: emails[1] })).status, 200)
    await more.fallDue(3)
    // An edit, so that the runner looks again.
    const { agent } = more
    equal((await call('PATCH', `/agents/${agent}`, { hours: { from: '00:01' } })).status, 200)
    const ended = await eventually(
      thirds,
      (all) => all.every(({ state }) => state === 'sent' || state === 'failed'),
      30_000,
    )
    const outcome = (person: string | undefined) =>
      ended.filter((row) => row.person === person).map(({ state, reason }) => [state, reason])
    deepEqual(outcome(people[0]), [['sent', null]])
    deepEqual(outcome(people[1]), [['failed', 'suppressed']])
    const [first, third, ...others] = letters().filter(({ to }) => to[0] === emails[0])
    deepEqual(others, [])
    equal(/^In-Reply-To: (.*)$/im.exec(third?.raw ?? '')?.[1], first?.messageId)
    equal((await numbers()).skipped, 2)
  })

  it('reaches a letter before it is claimed, or not at all', async () => {
    const { edit, touches, begin, arrived } = await given({ people: 20 })
    const waiting = await touches()
    await begin()
    const edited: string[] = []
    for (const touch of waiting.reverse()) {
      const words = `Mine for ${touch.person}.`
      const { status } = await edit(touch, { subject: 'Mine', text: words })
      ok(status === 200 || status === 409, String(status))
      if (status === 200) edited.push(words)
    }
    const sent = await arrived(20)
    const own = sent.filter(({ subject }) => subject === 'Mine')
    deepEqual(own.map(({ text }) => text.split('\n')[0]).sort(), edited.sort())
  })

  it('refuses a letter that is neither queued nor in review', async () => {
    const { edit, touches, move } = await given({ people: 1, waits: false })
    const touch = one(await eventually(touches, ([one]) => one?.state === 'sent', 30_000))
    for (const body of [{ text: 'Late' }, { skip: true }, { agreed: true }]) {
      const { status, body: told } = await edit(touch, body)
      deepEqual(
        [status, told.code, told.state, told.allowed],
        [409, 'invalid_state', 'sent', ['queued', 'review']],
      )
    }
    equal((await edit(touch, {})).status, 200)
    await move('done')
    const [, next] = (await touches()) as [Touch, Touch]
    equal((await edit(next, { text: 'Late' })).body.code, 'invalid_state')
  })

  it('refuses what is not a letter, naming the member', async () => {
    const { edit, touches, read } = await given({ people: 1 })
    const touch = one(await touches())
    const refused: [object, string][] = [
      [{ subject: 'A\nBcc: x@y.example', text: 'x' }, '/subject control_character'],
      [{ text: ' ' }, '/text too_small'],
      [{ html: '<p onclick="x()">a</p>' }, '/html event_handler'],
      [{ html: '<script>1</script>' }, '/html script'],
      [{ html: '<a href=" java\nscript:x">a</a>' }, '/html javascript'],
      [{ html: '<form></form>' }, '/html form'],
      [{ skip: true, text: 'x' }, '/skip not_alone'],
      [{ skip: true, agreed: true }, '/skip not_alone'],
      [{ subject: 'Alone' }, '/text missing'],
    ]
    for (const [body, error] of refused) {
      const { status, body: told } = await edit(touch, body)
      const [first] = told.errors ?? []
      equal(`${status} ${first?.pointer} ${first?.code}`, `422 ${error}`, JSON.stringify(body))
    }
    const agreed = await edit(touch, { agreed: true })
    equal(`${agreed.status} ${agreed.body.code}`, '409 letter_not_written')
    equal((await edit(touch, { skip: false })).status, 422)
    deepEqual(await read(touch), touch)
  })

  it('refuses a letter that lacks a value until it has words', async () => {
    const { edit, touches, read, db } = await given({ people: 1, places: [], waits: true })
    const touch = one(await touches())
    await db
      .updateTable('touches')
      .set({ state: 'review', reason: 'missing_value' })
      .where('id', '=', touch.id)
      .execute()
    equal((await edit(touch, { agreed: true })).body.code, 'invalid_state')
    const worded = (await edit(touch, { subject: 'S', text: 'Whole.', agreed: true })).body
    deepEqual([worded.state, worded.reason, worded.agreed], ['queued', null, true])
    equal((await read(touch)).text, 'Whole.')
  })

  it('gives own words the subject that their template makes, if that lacks nothing', async () => {
    for (const [subject, expected] of [
      ['Hello, {{ person.company }}', 'Hello, Acme'],
      ['Your {{ person.fields.plan }}', 'Mine.'],
    ]) {
      const template = { place: 1, subject, text: 'Your plan is {{ person.fields.plan }}.' }
      const { edit, reviewed, call, people } = await given({
        ...{ people: 1, places: [], waits: false, templates: [template] },
      })
      await call('PATCH', `/people/${people[0]}`, { company: 'Acme' })
      const touch = one(await reviewed())
      equal((await edit(touch, { text: 'Mine.\nAnd more.' })).body.subject, expected)
    }
  })

  it('gives one person words that are what they would get, also where a template makes others', async () => {
    const { edit, touches, call, campaign, people } = await given({ people: 1 })
    const path = `/campaigns/${campaign}/letters`
    const preview = { person: people[0], place: 1 }
    const look = async (more = {}) => {
      const { body } = await call('POST', path, { preview, ...more }, { key: null })
      return [body.preview?.subject, body.preview?.text, body.preview?.variant] as const
    }
    const unwritten = await call('POST', path, { preview }, { key: null })
    deepEqual([unwritten.status, unwritten.body.code], [409, 'letter_not_written'])
    await edit(one(await touches()), { subject: 'Mine', text: 'My words.' })
    deepEqual(await look(), ['Mine', 'My words.', null])
    const templates = [{ place: 1, subject: 'Theirs', text: 'Made.' }]
    deepEqual(await look({ templates }), ['Theirs', 'Made.', 'a'])
    equal((await call('POST', path, { templates })).status, 200)
    deepEqual(await look(), ['Mine', 'My words.', null])
    const [member] = (await call('GET', '/members')).body.members
    const test = { ...preview, to: member.email }
    const { body, text } = await call('POST', path, { test })
    equal(body.test?.state, 'sent', text)
    ok(mail.messages().some(({ subject }) => subject === '[Test] Mine'))
  })

  it('makes an empty subject that of the thread, and refuses it in a first letter', async () => {
    const { edit, touches, begin } = await given({ people: 1 })
    const first = one(await touches())
    const refused = await edit(first, { subject: ' ', text: 'Mine.' })
    deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/subject'])
    await edit(first, { subject: 'Yours', text: 'Mine.' })
    await begin()
    const all = await eventually(touches, (now) => now.length === 2, 30_000)
    const second = all.find(({ place }) => place === 2) as Touch
    await edit(second, { subject: 'Another', text: 'More.' })
    equal((await edit(second, { subject: '' })).body.subject, 'Re: Yours')
  })

  it('writes to the person who was chosen, through another account if need be', async () => {
    const { edit, touches, read, db, connections } = await given({ people: 1 })
    const touch = one(await touches())
    await edit(touch, { text: 'Mine.' })
    const rewritten = { connection: connections[1], subject: null, text: null, writtenAt: null }
    await db.updateTable('touches').set(rewritten).where('id', '=', touch.id).execute()
    equal((await read(touch)).text, 'Mine.')
    await db
      .updateTable('touches')
      .set({ ...rewritten, toAddress: null })
      .where('id', '=', touch.id)
      .execute()
    const { state, reason } = await read(touch)
    deepEqual([state, reason], ['failed', 'no_contact'])
  })

  it('tells that own words fail because the person has no address left', async () => {
    const { edit, touches, read, call, campaign } = await given({ people: 2 })
    const [mine, other] = (await touches()) as [Touch, Touch]
    await edit(mine, { text: 'Mine.' })
    const address = (person: string, emails: string[]) =>
      call('PATCH', `/people/${person}`, { emails })
    equal((await address(mine.person, ['new@client.example'])).status, 200)
    equal((await read(mine)).state, 'queued')
    for (const { person } of [mine, other]) equal((await address(person, [])).status, 200)
    deepEqual([(await read(mine)).reason, (await read(other)).state], ['no_contact', 'queued'])
    const failures = await eventsOf(call, ({ kind }) => kind === 'touch.failed', 1)
    deepEqual(
      failures.map(({ resource, data }) => [resource, data]),
      [
        [
          mine.id,
          {
            ...{ campaign, person: mine.person, place: 1, connection: null },
            ...{ conversation: null, state: 'failed', reason: 'no_contact' },
          },
        ],
      ],
    )
  })
})
