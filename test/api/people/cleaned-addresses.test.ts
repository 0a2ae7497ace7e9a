import { deepEqual, equal } from 'node:assert/strict'
import { type Caller, startService, type TestService } from '../../support/service.ts'

describe('an address with signs that are no part of it', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService({ patience: { dispatchMs: 0 } })
  })
  after(() => service.close())

  const nadia = 'nadia@roth.example'
  const spellings = [
    ...['\u200bnadia@roth.example', 'na\u00addia@roth.example', 'nadia\u2060@roth.example'],
    ...['\ufeffmailto:nadia@roth.example', 'nadia＠roth.example', 'nadia@roth.example.'],
    ...['Nadia <nadia@roth.example>', '"Roth, Nadia" <NADIA@roth.example>'],
  ]

  async function given() {
    const workspace = await service.workspace()
    const { body: person } = await workspace.call('POST', '/people', { email: nadia })
    return { ...workspace, person, via: workspace.connections[0] }
  }

  const plan = async (call: Caller, lines: string[]) => {
    const content = Buffer.from(lines.join('\n')).toString('base64')
    const file = { name: 'people.csv', content }
    return (await call('POST', '/people/import', { file }, { key: null })).body
  }

  for (const spelling of spellings)
    it(`is one person in every call: ${JSON.stringify(spelling)}`, async () => {
      const { call, person, via } = await given()
      const { body: again } = await call('POST', '/people', { email: spelling })
      deepEqual([again.id, again.emails], [person.id, [nadia]])
      const { body: edited } = await call('PATCH', `/people/${person.id}`, { emails: [spelling] })
      deepEqual(edited.emails, [nadia])

      const letter = { via, text: 'Hello.' }
      const { body: opened } = await call('POST', '/conversations', { to: spelling, ...letter })
      deepEqual([opened.conversation.person, opened.message.to], [person.id, nadia])
      const messages = `/conversations/${opened.conversation.id}/messages`
      const copies = { cc: [spelling], bcc: [spelling.replace('nadia', 'nora')] }
      const { body: sent } = await call('POST', messages, { to: spelling, ...letter, ...copies })
      equal(sent.to, nadia)

      equal((await call('POST', '/suppressions', { address: spelling })).body.address, nadia)
      const { body: listed } = await call(
        'GET',
        `/suppressions?address=${encodeURIComponent(spelling)}`,
      )
      equal(listed.suppressions.length, 1)
      for (const body of [{ to: spelling }, { to: 'nora@roth.example', cc: [spelling] }]) {
        const refused = await call('POST', '/conversations', { ...letter, ...body })
        equal(refused.body.code, 'recipient_suppressed')
      }
    })

  it('is read in an import, whose plan names what was left out', async () => {
    const { call, person } = await given()
    const cells = spellings.map((spelling) => `"${spelling.replaceAll('"', '""')}"`)
    const { rows, errors, cleaned, sample } = await plan(call, ['E-mail', ...cells])
    deepEqual([rows.same, rows.duplicate, rows.invalid, errors], [1, cells.length - 1, 0, []])
    equal(sample[0].person, person.id)
    deepEqual(
      cleaned.map((one: { row: number; read: string }) => [one.row, one.read]),
      spellings.map((_, i) => [i + 2, nadia]),
    )
    deepEqual(cleaned[0], {
      row: 2,
      column: 'E-mail',
      given: spellings[0],
      read: nadia,
      leftOut: 'invisible characters',
    })
  })

  it('names a new person by the name before it, and no known one', async () => {
    const { call, person, via } = await given()
    const ines = 'Ines Roth ‹ines@roth.example›'
    equal((await call('POST', '/people', { email: ines })).body.name, 'Ines Roth')
    const letter = { to: '"Olga Roth" <olga@roth.example>', via, text: 'Hello.' }
    const { body } = await call('POST', '/conversations', letter)
    equal((await call('GET', `/people/${body.conversation.person}`)).body.name, 'Olga Roth')
    await call('POST', '/people', { email: 'Nadia Roth <nadia@roth.example>' })
    equal((await call('GET', `/people/${person.id}`)).body.name, '')
  })

  it('may have more than 64 octets before its @', async () => {
    const { call, via } = await given()
    const long = `reply+${'0f'.repeat(40)}@tickets.example`
    equal((await call('POST', '/people', { email: long })).body.email, long)
    const { body } = await call('POST', '/conversations', { to: long, via, text: 'x', cc: [long] })
    equal(body.message.to, long)
    equal((await plan(call, ['E-mail', long])).rows.same, 1)
    equal((await call('POST', '/suppressions', { address: long })).body.address, long)
  })
})
