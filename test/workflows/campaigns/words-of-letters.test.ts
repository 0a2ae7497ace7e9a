import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { longestWords } from '../../../db/campaigns/briefs.ts'
import { type GivenCampaign, givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, type Message, testMail } from '../../support/mail.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

describe('what a letter says', function () {
  this.timeout(90_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })

  const header = ({ headers }: Message, name: string) =>
    headers.find((one) => one.name.toLowerCase() === name)?.value ?? ''

  it('follows the brief that was agreed last, also in letters that were in review', async () => {
    const given = await givenCampaign(service, mail, { people: 3, places: [] })
    await given.edit({ goal: 'A discount of 90 percent', addRules: ['Mention the old offer.'] })
    await given.move('running')
    await given.until('review', 3)
    await given.move('paused')
    const added = ['Say "It is the new offer."', 'Never mention the old offer.']
    await given.edit({ goal: 'Meet in autumn', addRules: added })
    const written = await given.write({ write: [1] })
    match(written.body.letters[0].text, /It is the new offer\./)
    equal((await given.write({ agree: [1] })).status, 200)
    await given.move('running')
    await given.until('sent', 3)
    for (const { text } of given.letters()) {
      match(text, /It is the new offer\./)
      doesNotMatch(text, /90 percent|old offer|autumn/i)
    }
  })

  it('is agreed as it was read: an example from before an edit is not written', async () => {
    const given = await givenCampaign(service, mail, { people: 1, places: [1] })
    const { body } = await given.edit({ goal: 'Meet', addRules: ['Be warm.'] })
    equal(body.letters[0].agreed, false)
    const refused = await given.write({ agree: [1] })
    deepEqual([refused.status, refused.body.code], [409, 'letter_not_written'])
    equal((await given.read()).letters[0].agreed, false)
    equal((await given.write({ write: [1] })).status, 200)
    equal((await given.write({ agree: [1] })).body.letters[0].agreed, true)
  })

  describe('is signed', () => {
    /** A campaign through both accounts, the second of which belongs to another member. */
    async function given(people: number, places: (1 | 2 | 3)[] = []) {
      const campaign = await givenCampaign(service, mail, { people, places })
      const { db } = service
      const [, second = ''] = campaign.connections
      const ben = { id: `mem_${randomUUID()}`, workspace: campaign.id, name: 'Ben Fox' }
      const more = { email: '', jobTitle: '', zone: '', signature: 'Ben Fox\n+1 555 0100' }
      await db
        .insertInto('members')
        .values({ ...ben, ...more })
        .execute()
      const setSecond = (values: { member?: string; alive?: boolean; health?: 'blocked' }) =>
        db.updateTable('connections').set(values).where('id', '=', second).execute()
      await setSecond({ member: ben.id })
      await campaign.edit({ senders: campaign.connections })
      return { ...campaign, setSecond }
    }
    function signedBySender(letter: Message) {
      const own = letter.text.split('\n\n-- \n')[0] as string
      const ends = {
        'Ana Ruiz': /Kind regards,\nAna$/,
        'Ben Fox': /Kind regards,\nBen Fox\n\+1 555 0100$/,
      }
      const name = /^"?([^"<]+?)"? </.exec(header(letter, 'from'))?.[1] as keyof typeof ends
      ok(name in ends, name)
      match(own, ends[name])
      return name
    }

    it('by the member whose account sends it', async () => {
      const { move, until, letters, touches } = await given(6, [1])
      await move('running')
      // The brief has not changed, only who sends.
      await until('sent', 6)
      deepEqual([...new Set(letters().map(signedBySender))].sort(), ['Ana Ruiz', 'Ben Fox'])
      for (const { state, place, text } of await touches())
        if (state === 'sent' && place === 1) match(text, /\n(?:Ana|\+1 555 0100)\n$/)
    })

    it('by that member also when it was read in review', async () => {
      const { move, until, write, letters } = await given(6)
      await move('running')
      await until('review', 6)
      await write({ write: [1], agree: [1] })
      await until('sent', 6)
      letters().forEach(signedBySender)
    })

    it('by another member when the accounts of the campaign change', async () => {
      const { move, until, edit, write, letters, connections } = await given(2)
      await edit({ senders: [connections[0]] })
      await move('running')
      await until('review', 2)
      await edit({ senders: [connections[1]] })
      await write({ write: [1], agree: [1] })
      await until('sent', 2)
      deepEqual(letters().map(signedBySender), ['Ben Fox', 'Ben Fox'])
    })

    for (const [what, values] of [
      ['is no longer alive', { alive: false }],
      ['may no longer write', { health: 'blocked' }],
    ] as const)
      it(`by another member when the account that it was bound to ${what}`, async () => {
        const { move, until, write, letters, setSecond } = await given(12)
        await move('running')
        await until('review', 12)
        await setSecond(values)
        await write({ write: [1], agree: [1] })
        await until('sent', 12)
        deepEqual(new Set(letters().map(signedBySender)), new Set(['Ana Ruiz']))
      })

    it('in review by nobody through whose account it could not go', async () => {
      const { move, until, touches, setSecond } = await given(12)
      await setSecond({ alive: false })
      await move('running')
      await until('review', 12)
      for (const { text } of await touches()) match(text, /\nAna\n$/)
    })
  })

  const languages = {
    German: ['de', /\n-- \nKeine weiteren Schreiben dieser Art: http/, /Keine Schreiben mehr/],
    Spanish: ['es', /\n-- \nNo recibir más cartas como esta: http/, /No recibir más cartas/],
    French: ['fr', /\n-- \nNe plus recevoir de lettres de ce genre : http/, /Ne plus recevoir/],
    English: ['en', /\n-- \nNo more of these letters: http/, />Unsubscribe</],
  } as const
  for (const [language, [code, line, button]] of Object.entries(languages))
    it(`is in ${language} to its last line, and so is the page behind it`, async () => {
      const given = await givenCampaign(service, mail, { people: 1, places: [] })
      await given.call('PATCH', `/people/${given.people[0]}`, { name: 'MÜLLER, JÜRGEN' })
      await given.edit({ addRules: [`Write in ${language}.`] })
      await given.write({ write: [1], agree: [1] })
      await given.move('running')
      const [letter] = await given.arrived(1)
      ok(letter)
      match(letter.text, line)
      match(letter.text, /^\p{L}+(?: \p{L}+)? Jürgen Müller,\n/u)
      doesNotMatch(letter.text, /Book a demo/)
      match(header(letter, 'to'), /Jürgen Müller|=\?UTF-8\?/)
      const path = new URL(/\/u\/[\w-]+/.exec(letter.text)?.[0] ?? '', service.url).href
      const ask = async (method: string, url = path) => (await fetch(url, { method })).text()
      const page = await ask('GET')
      match(page, new RegExp(`<html lang="${code}">`))
      match(page, button)
      match(await ask('POST'), new RegExp(`<html lang="${code}">`))
      const accept = { headers: { 'accept-language': code } }
      const unknown = await fetch(`${service.url}/u/${'x'.repeat(32)}`, accept)
      match(await unknown.text(), new RegExp(`<html lang="${code}">`))
    })

  describe('after an edit of what letters are written with', () => {
    const locked = { rules: 'Say "Your account is locked." Sign as Gia, Gamma Bank.' }
    const rules = ({ call, agent }: GivenCampaign, options = {}) =>
      call('PATCH', `/agents/${agent}`, locked, options)
    const hours = ({ call, agent }: GivenCampaign, to: string) =>
      call('PATCH', `/agents/${agent}`, { hours: { from: '00:00', to } })

    it('waits until it is agreed again', async () => {
      const given = await givenCampaign(service, mail, { people: 2 })
      const token = await given.tokenWith(['inbox:write'])
      equal((await rules(given, { token })).status, 200)
      await given.move('running')
      const held = await given.until('review', 2)
      equal(held.campaign.sending.blockedBy, 'review')
      equal(given.letters().length, 0)
      const more = { rules: `${locked.rules} Hurry.` }
      equal((await given.call('PATCH', `/agents/${given.agent}`, more, { token })).status, 403)
      equal((await given.write({ agree: [1] })).status, 409)
      const { body } = await given.write({ write: [1], agree: [1] })
      match(body.letters[0].text, /Gamma Bank/)
      await given.until('sent', 2)
    })

    it('stays as agreed if it is queued', async () => {
      const given = await givenCampaign(service, mail, { people: 2, places: [] })
      await given.move('running')
      await given.until('review', 2)
      await hours(given, '00:01')
      await given.write({ write: [1], agree: [1] })
      await given.until('queued', 2)
      equal((await rules(given)).status, 200)
      await hours(given, '24:00')
      await given.until('sent', 2)
      for (const { text } of given.letters()) ok(!text.includes('locked'), text)
      for (const { place, text } of await given.touches()) if (place === 1) match(text, /,\nAna\n$/)
    })

    it('is rewritten if it is in review, when its place is agreed', async () => {
      const given = await givenCampaign(service, mail, { people: 2, places: [] })
      await given.move('running')
      await given.until('review', 2)
      equal((await rules(given)).status, 200)
      await given.write({ write: [1], agree: [1] })
      await given.until('sent', 2)
      for (const { text } of given.letters()) match(text, /Your account is locked\./)
    })
  })

  describe("in a tenant's own words", () => {
    const filled = (words: (i: number) => string, length = longestWords) => {
      let text = ''
      for (let i = 0; text.length + words(i).length <= length; i++) text += words(i)
      return text
    }

    it('is refused beyond their length, by name', async () => {
      const { call, edit, agent, company, product } = await givenCampaign(service, mail, {
        people: 1,
        places: [],
      })
      const long = 'x'.repeat(longestWords)
      for (const [path, member] of [
        [`/agents/${agent}`, 'rules'],
        [`/agents/${agent}`, 'knowledge'],
        [`/companies/${company}`, 'pitch'],
        [`/companies/${company}`, 'policy'],
        [`/products/${product}`, 'description'],
      ] as const) {
        for (const much of [`${long}x`, 'Never. '.repeat(14_000)]) {
          const { status, body } = await call('PATCH', path, { [member]: much })
          equal(
            `${status} ${body.code} ${body.errors?.[0].pointer}`,
            `422 validation_failed /${member}`,
          )
        }
        equal((await call('PATCH', path, { [member]: long })).status, 200)
      }
      const four = 'x'.repeat(4000)
      equal((await edit({ addRules: [four, four, four] })).status, 200)
      for (const addRules of [
        [four, four, four],
        Array.from({ length: 100 }, () => 'x'.repeat(90)),
      ]) {
        const { status, body } = await edit({ addRules })
        equal(`${status} ${body.errors[0].pointer} ${body.errors[0].code}`, '422 /addRules too_big')
      }
      equal((await edit({ addRules: [four, four] })).status, 200)
    })

    // What an older version accepted is cut at the same length, so nothing longer is ever read.
    it('at their maximum length delays no other workspace, and is written', async () => {
      const bad = await givenCampaign(service, mail, { people: 1, places: [] })
      const good = await givenCampaign(service, mail, { people: 1, places: [] })
      const { db } = service
      const more = 100_000
      const knowledge = 'a'.repeat(3 * more)
      await db
        .updateTable('agents')
        .set({ rules: filled((i) => `Never say w${i}. `, more), knowledge })
        .where('id', '=', bad.agent)
        .execute()
      await db
        .updateTable('companies')
        .set({ pitch: filled((i) => `W${i} x. `, more), policy: `never say x${' '.repeat(more)}y` })
        .where('id', '=', bad.company)
        .execute()
      const addRules = Array.from({ length: 500 }, (_, i) => filled((n) => `No r${i}n${n}. `, 4000))
      await db.updateTable('campaigns').set({ addRules }).where('id', '=', bad.campaign).execute()
      const started = performance.now()
      const path = `/campaigns/${good.campaign}/letters`
      const written = bad.call('POST', `/campaigns/${bad.campaign}/letters`, { write: [1, 2, 3] })
      const others = await Promise.all([1, 2, 3].map(() => good.call('POST', path, { write: [1] })))
      const { status, body, text } = await written
      equal(status, 200, text)
      equal(body.letters.length, 3)
      deepEqual(
        others.map((other) => other.status),
        [200, 200, 200],
      )
      ok(performance.now() - started < 20_000)
      const [{ text: letter }] = (await good.call('POST', path, {})).body.letters
      match(letter, /We keep sales teams calm/)
    })
  })
})
