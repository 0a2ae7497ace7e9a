import { deepEqual, equal, match } from 'node:assert/strict'
import { DateTime } from 'luxon'
import { givenCampaign } from '../../support/campaigns.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('templates of a campaign', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
  })
  after(() => service.close())

  const first = { place: 1, subject: 'Hello', text: 'Hello {{ person.firstName }}' }

  it('are refused with the pointer and the line of what is wrong, and nothing is kept', async () => {
    const { call, id, read } = await givenCampaign(service)
    const refused = async (templates: unknown[], pointer: string, said: RegExp) => {
      const { status, body } = await call('POST', `/campaigns/${id}/letters`, { templates })
      deepEqual([status, body.code, body.errors[0].pointer], [422, 'validation_failed', pointer])
      match(body.errors[0].message, said)
    }
    const second = { ...first, place: 2 }
    await refused([second, { ...first, text: 'a\n{% if x' }], '/templates/1/text', /line 2/)
    await refused([{ ...first, subject: '{{ foo }}' }], '/templates/0/subject', /line 1.*foo/)
    await refused([{ ...first, html: '{{ a | b }}' }], '/templates/0/html', /line 1/)
    await refused([{ ...first, html: '<script>1</script>' }], '/templates/0/html', /<script>/)
    await refused([{ ...first, subject: ' ' }], '/templates/0/subject', /empty/)
    await refused([{ ...first, subject: 'Hi\r\nBcc: a@b.example' }], '/templates/0/subject', /line/)
    await refused([{ ...first, text: ' \n' }], '/templates/0/text', /empty/)
    await refused([first, first], '/templates/1/variant', /twice/)
    await refused([{ ...first, weight: 101 }], '/templates/0/weight', /100/)
    await refused([{ ...first, variant: 'e' }], '/templates/0/variant', /./)
    await refused([{ ...first, place: 4 }], '/templates/0/place', /place/)
    const loop = '{% for i in (1..1000000000) %}x{% endfor %}'
    await refused([{ ...first, text: loop }], '/templates/0/text', /100 ms/)
    const unknown = await call('POST', `/campaigns/${id}/letters`, {
      templates: [{ ...first, body: 'x' }],
    })
    equal(unknown.status, 422)
    const { templates, letters, variants } = await read()
    deepEqual([templates, letters, variants], [[], [], []])
  })

  it('are previewed for a person without a key, and nothing is kept', async () => {
    const room = await givenCampaign(service)
    const { call, id, read } = room
    const person = room.idOf('Ada')
    const path = `/campaigns/${id}/letters`
    const preview = { person, place: 1 }
    const none = await call('POST', path, { preview }, { key: null })
    deepEqual([none.status, none.body.code], [409, 'letter_not_written'])
    const text = '{{ person.firstName }} of {{ person.city }}'
    const given = { templates: [{ ...first, text, html: '<b>{{ person.name }}</b>' }], preview }
    const { status, body } = await call('POST', path, given, { key: null })
    equal(status, 200)
    deepEqual(body.preview, {
      subject: 'Hello',
      text: 'Ada of [person.city]',
      html: '<b>Ada</b>',
      missing: ['person.city'],
      variant: 'a',
    })
    deepEqual((await read()).templates, [])
    const styled = [{ ...first, html: '<link rel=stylesheet href="//x.example"><p>x</p>' }]
    const left = (await call('POST', path, { templates: styled, preview }, { key: null })).body
    equal(left.preview.html, '<p>x</p>')
    deepEqual(left.preview.leftOut, ['<link>, which fetches something when it is opened'])
    const dated = [{ ...first, text: '{{ "now" | date: "%Y-%m-%d %H:%M %z" }}' }]
    await call('PATCH', '/workspace', { timezone: 'Asia/Kolkata' })
    const today = await call('POST', path, { templates: dated, preview }, { key: null })
    const now = DateTime.fromJSDate(service.clock.now(), { zone: 'Asia/Kolkata' })
    equal(today.body.preview.text, now.toFormat('yyyy-MM-dd HH:mm ZZZ'))
    await call('PATCH', `/people/${person}`, { city: 'Rome' })
    const followUp = {
      templates: [{ ...first, place: 2, subject: '' }, first],
      preview: { person, place: 2 },
    }
    const again = await call('POST', path, followUp, { key: null })
    deepEqual([again.body.preview.subject, again.body.preview.missing], ['Re: Hello', []])
    for (const [wrong, status, pointer] of [
      [{ ...given, preview: { person: 'per_x', place: 1 } }, 422, '/preview/person'],
      [{ ...given, preview: { person, place: 3 } }, 409, '/preview/place'],
      [{ ...given, agree: [1] }, 422, '/preview'],
    ] as const) {
      const { status: got, body } = await call('POST', path, wrong, { key: null })
      deepEqual([got, body.errors[0].pointer], [status, pointer])
    }
    // What would not be sent is not shown either: a value may be an address of a script.
    await call('PATCH', `/people/${person}`, {
      fields: { site: 'javascript:alert(1)', on: 'onclick=x()' },
    })
    for (const html of [
      '<a href="{{ person.fields.site }}">x</a>',
      '<p {{ person.fields.on }}>x</p>',
    ]) {
      const unsafe = { templates: [{ ...first, html }], preview }
      const { status, body } = await call('POST', path, unsafe, { key: null })
      deepEqual([status, body.errors[0].code], [422, 'template_failed'])
      match(body.detail + body.errors[0].message, /javascript|event handler/)
    }
    // Anything else needs a key, and a test needs the scope to send.
    equal((await call('POST', path, { templates: [first] }, { key: null })).status, 400)
    const token = await room.tokenWith(['inbox:read', 'campaigns:write'])
    const test = { person, place: 1, to: 'a@b.example' }
    const refused = await call('POST', path, { test }, { token })
    deepEqual([refused.status, refused.body.scopes], [403, ['send', 'campaigns:write']])
  })
})
