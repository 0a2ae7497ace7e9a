import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenCampaign } from '../../support/given-campaign.ts'
import type { Message } from '../../support/mail.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('what a letter says', function () {
  this.timeout(90_000)
  let service: TestService
  let mail: MailSink
  before(async function () {
    this.timeout(120_000)
    service = await startService()
    mail = await testMail()
    await service.work(this.test?.ctx as Mocha.Context)
  })
  after(() => service.close())

  type Given = Awaited<ReturnType<typeof givenCampaign>>
  const letters = ({ call, campaign }: Given, body: object) => {
    const key = randomUUID()
    return eventually(
      () => call('POST', `/campaigns/${campaign}/letters`, body, { key }),
      ({ status }) => status !== 504,
    )
  }
  const edit = ({ call, campaign }: Given, body: object) =>
    call('PATCH', `/campaigns/${campaign}`, body)
  const sent = (given: Given, n: number) =>
    eventually(given.read, ({ funnel }) => funnel.sent === n, 60_000)
  const header = ({ headers }: Message, name: string) =>
    headers.find((one) => one.name.toLowerCase() === name)?.value ?? ''
  /** A second member, to whom the second account belongs. */
  async function withBen({ id, connections }: Given) {
    const { db } = service
    const member = { id: `mem_${randomUUID()}`, workspace: id, name: 'Ben Fox' }
    await db
      .insertInto('members')
      .values({ ...member, email: '', jobTitle: '', zone: '', signature: 'Ben Fox\n+1 555 0100' })
      .execute()
    await db
      .updateTable('connections')
      .set({ member: member.id })
      .where('id', '=', connections[1])
      .execute()
  }
  const signedBySender = (letter: Message) => {
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

  it('follows the brief that was agreed last, also in letters that were in review', async () => {
    const given = await givenCampaign(service, mail, { people: 3, places: [] })
    await edit(given, { goal: 'A discount of 90 percent', addRules: ['Mention the old offer.'] })
    await given.move('running')
    await eventually(given.read, ({ funnel }) => funnel.review === 3, 30_000)
    await given.move('paused')
    const added = ['Say "It is the new offer."', 'Never mention the old offer.']
    await edit(given, { goal: 'Meet in autumn', addRules: added })
    const written = await letters(given, { write: [1] })
    match(written.body.letters[0].text, /It is the new offer\./)
    equal((await letters(given, { agree: [1] })).status, 200)
    await given.move('running')
    await sent(given, 3)
    for (const { text } of given.letters()) {
      match(text, /It is the new offer\./)
      doesNotMatch(text, /90 percent|old offer|autumn/i)
    }
  })

  it('is agreed as it was read: an example from before an edit is not written', async () => {
    const given = await givenCampaign(service, mail, { people: 1, places: [1] })
    const { body } = await edit(given, { goal: 'Meet', addRules: ['Be warm.'] })
    equal(body.letters[0].agreed, false)
    const refused = await letters(given, { agree: [1] })
    deepEqual([refused.status, refused.body.code], [409, 'letter_not_written'])
    equal((await given.read()).letters[0].agreed, false)
    equal((await letters(given, { write: [1] })).status, 200)
    equal((await letters(given, { agree: [1] })).body.letters[0].agreed, true)
  })

  it('is signed by the member whose account sends it', async () => {
    const given = await givenCampaign(service, mail, { people: 6, places: [1] })
    await withBen(given)
    await edit(given, { senders: given.connections })
    await given.move('running')
    await sent(given, 6)
    const names = new Set(given.letters().map(signedBySender))
    deepEqual([...names].sort(), ['Ana Ruiz', 'Ben Fox'])
    for (const { state, place, text } of await given.touches())
      if (state === 'sent' && place === 1) match(text, /\n(?:Ana|\+1 555 0100)\n$/)
  })

  it('is also signed by that member when it was read in review', async () => {
    const given = await givenCampaign(service, mail, { people: 6, places: [] })
    await withBen(given)
    await edit(given, { senders: given.connections })
    await given.move('running')
    await eventually(given.read, ({ funnel }) => funnel.review === 6, 30_000)
    await letters(given, { write: [1], agree: [1] })
    await sent(given, 6)
    given.letters().forEach(signedBySender)
  })

  it('is rewritten for another member when the accounts of the campaign change', async () => {
    const given = await givenCampaign(service, mail, { people: 2, places: [] })
    await withBen(given)
    await given.move('running')
    await eventually(given.read, ({ funnel }) => funnel.review === 2, 30_000)
    await edit(given, { senders: [given.connections[1]] })
    await letters(given, { write: [1], agree: [1] })
    await sent(given, 2)
    deepEqual(given.letters().map(signedBySender), ['Ben Fox', 'Ben Fox'])
  })

  it('is rewritten when the account it was bound to is no longer alive', async () => {
    const given = await givenCampaign(service, mail, { people: 12, places: [] })
    await withBen(given)
    await edit(given, { senders: given.connections })
    await given.move('running')
    await eventually(given.read, ({ funnel }) => funnel.review === 12, 30_000)
    await service.db
      .updateTable('connections')
      .set({ alive: false })
      .where('id', '=', given.connections[1])
      .execute()
    await letters(given, { write: [1], agree: [1] })
    await sent(given, 12)
    deepEqual(new Set(given.letters().map(signedBySender)), new Set(['Ana Ruiz']))
  })

  it('does not assume, in review, an account through which it could not go', async () => {
    const given = await givenCampaign(service, mail, { people: 12, places: [] })
    await withBen(given)
    await service.db
      .updateTable('connections')
      .set({ alive: false })
      .where('id', '=', given.connections[1])
      .execute()
    await edit(given, { senders: given.connections })
    await given.move('running')
    await eventually(given.read, ({ funnel }) => funnel.review === 12, 30_000)
    for (const { text } of await given.touches()) match(text, /\nAna\n$/)
  })

  it('goes from another account when the one it was bound to may no longer write', async () => {
    const given = await givenCampaign(service, mail, { people: 12, places: [] })
    await withBen(given)
    await edit(given, { senders: given.connections })
    await given.move('running')
    await eventually(given.read, ({ funnel }) => funnel.review === 12, 30_000)
    await service.db
      .updateTable('connections')
      .set({ health: 'blocked' })
      .where('id', '=', given.connections[1])
      .execute()
    await letters(given, { write: [1], agree: [1] })
    await sent(given, 12)
    deepEqual(new Set(given.letters().map(signedBySender)), new Set(['Ana Ruiz']))
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
      await service.db
        .updateTable('people')
        .set({ name: 'MÜLLER, JÜRGEN' })
        .where('id', '=', given.people[0] as string)
        .execute()
      await edit(given, { addRules: [`Write in ${language}.`] })
      await letters(given, { write: [1], agree: [1] })
      await given.move('running')
      await sent(given, 1)
      const [letter] = given.letters()
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
})
