import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

describe('letters from templates', function () {
  this.timeout(120_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })

  const said = (text: string) => text.split('\n\n-- \n')[0]?.trimEnd()

  it('are sent in variants, each person in one, and numbered by variant', async () => {
    const given = await givenCampaign(service, mail, { people: 12, places: [] })
    const { call, campaign, people } = given
    await call('PATCH', `/people/${people[0]}`, { fields: { plan: 'Gold & <Silver>' } })
    const html = '<p>{{ person.fields.plan | default: "no plan" }}</p>'
    const text = (variant: string) =>
      `${variant}: {{ person.name }}, {{ person.fields.plan | default: "no plan" }}\n\n{{ member.name }}`
    const templates = ['a', 'b'].map((variant) => ({
      ...{ place: 1, variant, weight: 50, html },
      ...{ subject: `${variant} for {{ person.firstName }}`, text: text(variant) },
    }))
    const answer = await given.write({ templates, write: [2, 3], agree: [1, 2, 3] })
    equal(answer.status, 200, answer.text)
    deepEqual(answer.body.templates, templates)
    equal(answer.body.letters.length, 3)
    match(answer.body.letters[0].text, /^[ab]: Person \d+, /)
    await given.move('running')
    await given.until('sent', 12)
    const touches = (await given.touches()).filter(({ place }: { place: number }) => place === 1)
    const byVariant = { a: 0, b: 0 }
    for (const { variant, subject, text } of touches) {
      ok(subject.startsWith(`${variant} for Person`), subject)
      ok(text.startsWith(`${variant}: Person`), text)
      byVariant[variant as 'a' | 'b']++
    }
    ok(byVariant.a > 0 && byVariant.b > 0, JSON.stringify(byVariant))
    const first = mail.messages().find(({ to }) => to[0] === given.emails[0])
    match(said(first?.text ?? '') ?? '', /^[ab]: Person 0, Gold & <Silver>\n\nAna Ruiz$/)
    const rows = await service.db
      .selectFrom('touches')
      .select('html')
      .where('campaign', '=', campaign)
      .where('person', '=', people[0] as string)
      .where('place', '=', 1)
      .execute()
    equal(rows[0]?.html, '<p>Gold &amp; &lt;Silver&gt;</p>')

    // One person answers, with interest.
    const answered = touches.find(({ person }: { person: string }) => person === people[0])
    const touch = await service.db
      .selectFrom('touches')
      .selectAll()
      .where('id', '=', answered.id)
      .executeTakeFirstOrThrow()
    await sql`insert into messages (id, workspace, conversation, direction, sender_name, sender_handle, to_address, subject, text,
        at, automated, connection, state)
      values (${`msg_${randomUUID()}`}, ${given.id}, ${touch.conversation}, 'inbound', 'P', ${given.emails[0]}, '', '', 'Yes',
        ${service.clock.now()}, false, ${touch.connection}, 'received')`.execute(service.db)
    await service.db
      .updateTable('conversations')
      .set({ intent: 'interested' })
      .where('id', '=', touch.conversation as string)
      .execute()
    const { variants, funnel } = await given.read()
    equal(funnel.replied, 1)
    deepEqual(
      variants,
      (['a', 'b'] as const).map((variant) => {
        const n = Number(variant === answered.variant)
        return { place: 1, variant, sent: byVariant[variant], replied: n, interested: n }
      }),
    )
    // What a letter in own words achieves says nothing about a variant.
    await service.db
      .updateTable('touches')
      .set({ ownWords: true })
      .where('id', '=', answered.id)
      .execute()
    deepEqual(
      (await given.read()).variants,
      (['a', 'b'] as const).map((variant) => {
        const sent = byVariant[variant] - Number(variant === answered.variant)
        return { place: 1, variant, sent, replied: 0, interested: 0 }
      }),
    )
  })

  it('wait for values that are missing, and are made anew once they are there', async () => {
    const given = await givenCampaign(service, mail, { people: 3, places: [] })
    const { call, campaign, people } = given
    for (const id of people.slice(1)) await call('PATCH', `/people/${id}`, { city: 'Rome' })
    const text = 'Hello {{ person.firstName }}, how is {{ person.city }}?'
    const templates = [{ place: 1, subject: 'Hello', text }]
    equal(
      (await given.write({ templates, write: [2, 3], agree: [1, 2, 3] })).body.letters[0].text,
      'Hello Person, how is Rome?',
    )
    await given.move('running')
    await given.until('sent', 2)
    const touch = await eventually(
      async () =>
        (await given.touches()).find((one: { person: string }) => one.person === people[0]),
      ({ state }) => state === 'review',
    )
    deepEqual(
      [touch.reason, touch.missing, touch.text, touch.variant],
      ['missing_value', ['person.city'], null, 'a'],
    )
    // Agreeing alone does not help.
    await given.write({ agree: [1] })
    await eventually(given.touches, (all) =>
      all.some(
        ({ id, state, reason }: typeof touch) =>
          id === touch.id && state === 'review' && reason === 'missing_value',
      ),
    )
    await call('PATCH', `/people/${people[0]}`, { city: 'Paris' })
    await given.write({ agree: [1] })
    await given.until('sent', 3)
    const got = mail.messages().find(({ to }) => to[0] === given.emails[0])
    equal(said(got?.text ?? ''), 'Hello Person, how is Paris?')
    for (const { text } of given.letters()) doesNotMatch(text, /\{\{|undefined| {2}/)
    const after = (await call('GET', `/campaigns/${campaign}/touches/${touch.id}`)).body
    deepEqual([after.state, after.reason, after.missing], ['sent', null, []])
  })

  it('that lack a value are agreed one by one, once it is there', async () => {
    const given = await givenCampaign(service, mail, { people: 1, places: [] })
    const { call, campaign, people } = given
    const templates = [{ place: 1, subject: 'Hello', text: 'In {{ person.fields.town }}?' }]
    await given.write({ templates, write: [2, 3], agree: [1, 2, 3] })
    await given.move('running')
    const [touch] = await eventually(given.touches, ([one]) => one.state === 'review')
    const path = `/campaigns/${campaign}/touches/${touch.id}`
    const refused = await call('PATCH', path, { agreed: true })
    equal(refused.status, 409)
    match(refused.body.detail, /person\.fields\.town/)
    await call('PATCH', `/people/${people[0]}`, { fields: { town: 'Rome' } })
    equal((await call('PATCH', path, { agreed: true })).status, 200)
    await given.until('sent', 1)
    equal(said(given.letters()[0]?.text ?? ''), 'In Rome?')
  })

  it('keep the variant of each person through retries, rewriting and other weights', async () => {
    const given = await givenCampaign(service, mail, { people: 10, places: [] })
    const { call, people } = given
    const inVariants = (...weights: number[]) =>
      ['a', 'b'].map((variant, i) => ({
        ...{ place: 1, variant, weight: weights[i], subject: variant },
        text: `${variant} in {{ person.city }}`,
      }))
    await given.write({ templates: inVariants(50, 50), write: [2, 3], agree: [1, 2, 3] })
    await given.move('running')
    const variantsIn = (touches: { place: number; person: string; variant: string }[]) =>
      new Map(
        touches.filter(({ place }) => place === 1).map((one) => [one.person, one.variant] as const),
      )
    const chosen = variantsIn(
      await eventually(given.touches, (all) =>
        all.every(({ state }: { state: string }) => state === 'review'),
      ),
    )
    equal(new Set(chosen.values()).size, 2)
    for (const id of people) await call('PATCH', `/people/${id}`, { city: 'Rome' })
    await given.write({ templates: inVariants(1, 100), agree: [1] })
    await given.until('sent', 10)
    deepEqual(variantsIn(await given.touches()), chosen)
    for (const { subject, text } of given.letters()) equal(said(text), `${subject} in Rome`)
  })

  it('answer the thread where they have no subject, and a new template withdraws its place alone', async () => {
    const given = await givenCampaign(service, mail, { people: 1, places: [] })
    const templates = [
      { place: 1, subject: 'News for {{ person.name }}', text: 'One' },
      { place: 2, text: 'Two' },
    ]
    const { body } = await given.write({ templates, write: [3], agree: [1, 2, 3] })
    equal(body.letters[1].subject, 'Re: News for Person 0')
    const again = await given.write({
      templates: [{ place: 2, subject: '', text: 'Two again' }],
    })
    deepEqual(
      again.body.letters.map(({ agreed }: { agreed: boolean }) => agreed),
      [true, false, true],
    )
    equal(again.body.letters[1].text, 'Two again')
    equal((await given.write({ agree: [2] })).body.letters[1].agreed, true)
    await given.move('running')
    await given.until('sent', 1)
    await given.fallDue(2)
    await given.edit({ name: 'Again' })
    await given.arrived(2)
    const [, second] = given.letters()
    match(second?.subject ?? '', /^Re: News for Person 0$/)
    match(second?.text ?? '', /^Two again/)
  })

  it('are taken off a place by an empty list, and the writer writes it again', async () => {
    const given = await givenCampaign(service, mail, { people: 1, places: [] })
    const templates = [
      { place: 1, subject: 'From a template', text: 'In {{ person.fields.town }}?' },
      { place: 2, text: 'Two' },
    ]
    await given.write({ templates, write: [3], agree: [1, 2, 3] })
    await given.move('running')
    const first = async () => (await given.touches())[0]
    await eventually(first, ({ state, variant }) => state === 'review' && variant === 'a')
    type Answer = Awaited<ReturnType<typeof given.write>>['body']
    const placesOf = ({ templates }: Answer) =>
      templates.map(({ place }: { place: number }) => place)
    const agreedOf = ({ letters }: Answer) =>
      letters.map(({ agreed }: { agreed: boolean }) => agreed)
    // Writing alone keeps them, and an empty list says which place it is for.
    const kept = (await given.write({ write: [1], agree: [1] })).body
    deepEqual([placesOf(kept), kept.letters[0].subject], [[1, 2], 'From a template'])
    const refused = await given.write({ templates: [], agree: [1] })
    deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/templates'])

    const { body } = await given.write({ templates: [], write: [1] })
    deepEqual([placesOf(body), agreedOf(body)], [[2], [false, true, true]])
    doesNotMatch(body.letters[0].text, /town/)
    match(body.letters[0].text, /Us Ltd|calm/)
    await given.write({ agree: [1] })
    await given.until('sent', 1)
    const { subject, variant } = await first()
    deepEqual([subject === 'From a template', variant], [false, null])
    deepEqual(
      (await given.read()).variants.map(({ sent }: { sent: number }) => sent),
      [0],
    )

    const none = (await given.write({ templates: [] })).body
    deepEqual([placesOf(none), agreedOf(none)], [[], [true, false, true]])
    const again = await given.call('POST', `/campaigns/${given.campaign}/letters`, {
      templates: [],
    })
    deepEqual([again.status, agreedOf(again.body)], [200, [true, false, true]])
  })

  it('are tested by a member, once, and nobody else hears of it', async () => {
    const given = await givenCampaign(service, mail, { people: 1, places: [] })
    const { call, people, campaign } = given
    const templates = [
      { place: 1, subject: 'Hello {{ person.name }}', text: 'Hi', html: '<b>Hi</b>' },
    ]
    await given.write({ templates })
    const [member] = (await call('GET', '/members')).body.members
    const before = (await call('GET', '/conversations')).body.conversations.length
    const test = { person: people[0], place: 1, to: member.email.toUpperCase() }
    const key = randomUUID()
    const first = await given.write({ test }, key)
    equal(first.status, 200, first.text)
    deepEqual(first.body.test, { to: member.email, state: 'sent', code: null })
    equal((await given.write({ test }, key)).text, first.text)
    const got = mail
      .messages()
      .filter(({ to, subject }) => to[0] === member.email && subject === '[Test] Hello Person 0')
    equal(got.length, 1)
    doesNotMatch(got[0]?.raw.toString() ?? '', /\/u\/|List-Unsubscribe/i)
    equal((await call('GET', '/conversations')).body.conversations.length, before)
    const used = await service.db
      .selectFrom('connectionUsage')
      .innerJoin('connections', 'connections.id', 'connection')
      .select('used')
      .where('connections.workspace', '=', given.id)
      .execute()
    deepEqual(used, [])
    equal((await given.read()).funnel.queued, 0)
    for (const [wrong, pointer] of [
      [{ ...test, to: 'a@stranger.example' }, '/test/to'],
      [{ ...test, person: 'per_x' }, '/test/person'],
    ] as const) {
      const refused = await call('POST', `/campaigns/${campaign}/letters`, { test: wrong })
      deepEqual([refused.status, refused.body.errors[0].pointer], [422, pointer])
    }
    equal(
      (await call('POST', `/campaigns/${campaign}/letters`, { test: { ...test, place: 2 } }))
        .status,
      409,
    )
  })
})
