import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newId } from '../../../db/ids.ts'
import { eventsOf } from '../../support/events.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

type Prospect = { name: string; email?: string; linkedin?: string; phone?: string } & Partial<
  Record<'company' | 'city' | 'jobTitle', string>
>

const kitchens: Prospect[] = [
  {
    name: 'Beatriz Molina',
    email: 'beatriz@mercado.example',
    city: 'Valencia',
    company: 'Mercado Central',
    jobTitle: 'Kitchen manager',
  },
  {
    name: 'Hugo Serrano',
    email: 'hugo@serrano.example',
    city: 'Valencia',
    company: 'Serrano Catering',
    jobTitle: 'Owner',
    linkedin: 'linkedin.com/in/hugo',
  },
  {
    name: 'Tiago Moreira',
    email: 'tiago@doca.example',
    city: 'Lisbon',
    phone: '+351211234567',
    company: 'Doca Fresca',
    jobTitle: 'Kitchen manager',
  },
  {
    ...{ name: 'Vera Brandt', linkedin: 'https://www.linkedin.com/in/vera-brandt', city: 'Ulm' },
    company: 'Gasthaus Brandt',
    jobTitle: 'Owner',
  },
  {
    name: 'Ines Caldeira',
    email: 'ines@caldeira.example',
    city: 'Porto',
    company: 'Caldeira',
    jobTitle: 'Accountant',
  },
]

describe('finding people', () => {
  let service: SharedService

  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  /** A workspace with prospects and a segment of these words. */
  async function given(query: string, prospects: Prospect[] = kitchens) {
    const workspace = await service.workspace()
    const none = { email: '', phone: '', linkedin: '', company: '', city: '', jobTitle: '' }
    // They are found in the order of their ids.
    const ids = prospects.map(() => newId('prs')).sort()
    const rows = prospects.map((prospect, i) => ({
      ...none,
      ...prospect,
      id: ids[i] as string,
      workspace: workspace.id,
    }))
    await service.db.insertInto('prospects').values(rows).execute()
    const segment = newId('seg')
    const now = service.clock.now()
    await service.db
      .insertInto('segments')
      .values({
        id: segment,
        workspace: workspace.id,
        name: query,
        query,
        rules: '[]',
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    const { call } = workspace
    const names = async (path: string) =>
      (await call('GET', `${path}?limit=200`)).body.people
        .map(({ name }: { name: string }) => name)
        .sort()
    return {
      ...workspace,
      segment,
      find: (body: object = {}) => call('POST', `/segments/${segment}/find`, body),
      add: (body: object = {}, key: string = randomUUID()) =>
        call('POST', `/segments/${segment}/find/add`, body, { key }),
      members: () => names(`/segments/${segment}/people`),
      contacts: () => names('/people'),
    }
  }

  describe('POST /segments/{id}/find', () => {
    it('uses the words of the segment and e-mail by default', async () => {
      const { find } = await given('kitchen managers or owners')
      const { status, body } = await find()
      equal(status, 200)
      deepEqual(body, {
        filters: { jobTitle: ['kitchen managers', 'owners'] },
        count: 3,
        channel: 'email',
      })
      equal((await find({ channel: 'professional_network' })).body.count, 2)
    })

    it('understands places, companies, possessions and exceptions', async () => {
      const { find } = await given('everyone')
      const count = async (words: string) => (await find({ words })).body.count
      equal(await count('everyone'), 4)
      equal(await count('in Valencia'), 2)
      equal(await count('in Valencia or Porto'), 3)
      equal(await count('people in Portugal'), 1)
      equal(await count('at Serrano Catering'), 1)
      equal(await count('owners in Valencia with a LinkedIn profile'), 1)
      equal(await count('in Valencia, not owners'), 1)
      equal(await count('catering'), 1)
      equal(await count('astronauts'), 0)
    })

    it('prefers filters to words and returns them as they were given', async () => {
      const { find } = await given('kitchen managers')
      const filters = { country: null, city: ['Valencia'], jobTitle: 'owner' }
      const { text, body } = await find({ words: 'in Lisbon', filters })
      equal(body.count, 1)
      ok(text.includes(JSON.stringify(filters)))
      // A list of one city means the same as the bare text.
      equal((await find({ filters: { city: 'lisbon' } })).body.count, 1)
      equal((await find({ filters: {} })).body.count, 4)
      equal((await find({ filters: { country: ['Portugal'] } })).body.count, 1)
      equal((await find({ filters: { country: 'pt', except: ['in Lisbon'] } })).body.count, 0)
    })

    it('refuses invalid filters and texts, naming each', async () => {
      const { find, add, members } = await given('everyone')
      const table: [object, string[]][] = [
        [{ jobtitle: ['owner'] }, ['/filters/jobtitle unknown_member']],
        [
          { city: ['Ulm'], nonsense: ['x'], 'a/b': 1 },
          ['/filters/nonsense unknown_member', '/filters/a~1b unknown_member'],
        ],
        [{ city: 7 }, ['/filters/city invalid_type']],
        [
          { city: ['Ulm', { is: 'Ulm' }, null] },
          ['/filters/city/1 invalid_type', '/filters/city/2 invalid_type'],
        ],
        [{ except: Array(501).fill('owners') }, ['/filters/except too_big']],
      ]
      for (const [filters, named] of table)
        for (const call of [find, add]) {
          const { status, body, text } = await call({ filters })
          equal(status, 422, text)
          equal(body.code, 'validation_failed')
          deepEqual(
            body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`),
            named,
          )
        }
      deepEqual(await members(), [])
    })

    it('finds nobody when one of an empty list must match', async () => {
      const { find, add, members } = await given('everyone')
      for (const name of ['jobTitle', 'company', 'city', 'country', 'keywords'])
        for (const value of [[], '', ['', ' ']]) {
          equal((await find({ filters: { [name]: value } })).body.count, 0, name)
          equal((await add({ filters: { [name]: value } })).body.added, 0, name)
        }
      deepEqual(await members(), [])
      // Empty lists of exceptions and of requirements do not restrict anything.
      equal((await find({ filters: { has: [], except: [] } })).body.count, 4)
    })

    it('changes nothing and needs no key', async () => {
      const { call, segment, contacts, members } = await given('owners')
      const path = `/segments/${segment}/find`
      equal((await call('POST', path, {}, { key: null })).status, 200)
      deepEqual([await contacts(), await members()], [[], []])
      equal((await call('GET', '/audit')).body.entries.length, 0)
      const first = await call('POST', path, {}, { key: 'same' })
      const again = await call('POST', path, {}, { key: 'same' })
      equal(again.text, first.text)
      equal(again.headers.get('idempotent-replayed'), 'true')
    })

    it('refuses another channel and invalid filters', async () => {
      const { find } = await given('owners')
      for (const body of [
        { channel: 'messenger' },
        { filters: [] },
        { filters: 'x' },
        { words: '' },
      ])
        equal((await find(body)).body.code, 'validation_failed')
      equal((await find({ filters: { x: 'x'.repeat(30_000) } })).status, 422)
    })

    it('keeps a refusal that only the work finds, and names the way for the corrected call', async () => {
      const { call, segment } = await given('owners')
      const path = `/segments/${segment}/find`
      const refused = await call('POST', path, { filters: { nobody: 1 } }, { key: 'one' })
      equal(refused.body.code, 'validation_failed')
      const corrected = await call('POST', path, {}, { key: 'one' })
      equal(corrected.body.code, 'idempotency_key_reused')
      match(corrected.body.detail, /new key/)
      equal((await call('POST', path, {}, { key: 'two' })).status, 200)
    })
  })

  describe('POST /segments/{id}/find/add', () => {
    it('adds the people found to the contacts and to the segment', async () => {
      const { find, add, members, contacts, call } = await given('kitchen managers or owners')
      const { filters } = (await find()).body
      const { body } = await add({ channel: 'email', filters })
      deepEqual(body, { added: 3, existing: 0, remaining: 0, run: null })
      const all = ['Beatriz Molina', 'Hugo Serrano', 'Tiago Moreira']
      deepEqual([await members(), await contacts()], [all, all])
      const [{ id }] = (await call('GET', '/people?q=hugo')).body.people
      const { city, jobTitle, email, linkedin } = (await call('GET', `/people/${id}`)).body
      deepEqual(
        [city, jobTitle, email, linkedin],
        ['Valencia', 'Owner', 'hugo@serrano.example', 'linkedin.com/in/hugo'],
      )
      const [line] = (await call('GET', '/audit')).body.entries
      equal(line.action, 'segment.people_found')
    })

    it('uses the last find by default, and the words if there was none', async () => {
      const { find, add, members } = await given('accountants')
      await find({ words: 'in Valencia' })
      await find({ filters: { city: ['Ulm'] }, channel: 'professional_network' })
      equal((await add()).body.added, 1)
      deepEqual(await members(), ['Vera Brandt'])
      const other = await given('accountants')
      equal((await other.add()).body.added, 1)
      deepEqual(await other.members(), ['Ines Caldeira'])
    })

    it('adds as many as are wanted, and the run continues with the others', async () => {
      const { add, members } = await given('everyone')
      const first = (await add({ want: 2 })).body
      deepEqual({ ...first, run: '' }, { added: 2, existing: 0, remaining: 2, run: '' })
      match(first.run, /^run_/)
      equal((await members()).length, 2)
      const second = (await add({ want: 1, run: first.run })).body
      deepEqual(second, { added: 1, existing: 0, remaining: 1, run: first.run })
      const third = (await add({ run: first.run, channel: 'email' })).body
      deepEqual(third, { added: 1, existing: 0, remaining: 0, run: null })
      const fourth = (await add({ run: first.run })).body
      deepEqual(fourth, { added: 0, existing: 0, remaining: 0, run: null })
      equal((await members()).length, 4)
    })

    it('counts people already in the segment and adds others in their place', async () => {
      const { add, members } = await given('everyone')
      await add({ want: 2 })
      const { body } = await add({ want: 2 })
      deepEqual(body, { added: 2, existing: 2, remaining: 0, run: null })
      equal((await members()).length, 4)
    })

    it('matches people by any address and completes their cards', async () => {
      const { add, call, contacts } = await given('everyone', [
        { name: 'Ada L.', email: 'ADA@x.example', linkedin: 'ada-l', city: 'Bonn' },
        { name: 'Ada again', email: 'ada2@x.example', linkedin: 'https://linkedin.com/in/ada-l/' },
        { name: 'Ben', email: 'ben@x.example', linkedin: 'cem' },
        { name: 'Nobody', email: 'not an address' },
      ])
      const ada = (await call('POST', '/people', { email: 'ada@x.example', name: 'Ada' })).body.id
      await call('POST', '/people', { email: 'ben@x.example', name: 'Ben' })
      await call('POST', '/people', { linkedin: 'cem', name: 'Cem' })
      const { body } = await add()
      equal(body.added, 2)
      equal(body.run, null)
      deepEqual(await contacts(), ['Ada', 'Ben', 'Cem'])
      const { name, city, emails, linkedin } = (await call('GET', `/people/${ada}`)).body
      deepEqual([name, city, linkedin !== ''], ['Ada', 'Bonn', true])
      deepEqual(emails.sort(), ['ada2@x.example', 'ada@x.example'])
      // When one result has addresses of two cards, the first card is used and left as it is.
      const [ben] = (await call('GET', '/people?q=ben')).body.people
      equal(ben.linkedin, '')
    })

    it('keeps people apart who share a number, and reports each that it adds or completes', async () => {
      const phone = '+4930123456'
      const { add, call, id, contacts } = await given('everyone', [
        { name: 'Ada', email: 'ada@x.example', phone },
        { name: 'Ben', email: 'ben@x.example', phone },
        { name: 'Cem', email: 'cem@x.example', city: 'Ulm' },
      ])
      const cem = (await call('POST', '/people', { email: 'cem@x.example', name: 'Cem' })).body.id
      equal((await add({}, 'add')).body.added, 3)
      deepEqual(await contacts(), ['Ada', 'Ben', 'Cem'])
      const people = (await call('GET', '/people')).body.people.map(
        (person: { id: string }) => person.id,
      )
      const events = await eventsOf(call, ({ data }) => data.operation === `${id}:add`, 3)
      deepEqual(
        events.map(({ kind, resource, data }) => [kind, resource, data.members]),
        [
          ['person.created', people[0], ['name', 'email', 'phone']],
          ['person.created', people[1], ['name', 'email', 'phone']],
          ['person.edited', cem, ['city']],
        ],
      )
    })

    it('adds nobody twice when many calls continue one run at once', async () => {
      const many = Array.from({ length: 60 }, (_, i) => ({
        name: `P${i}`,
        email: `p${i}@x.example`,
      }))
      const { add, members } = await given('everyone', many)
      const { run } = (await add({ want: 1 })).body
      const replies = await Promise.all(Array.from({ length: 6 }, () => add({ want: 10, run })))
      for (const { status, text } of replies) equal(status, 200, text)
      const added = replies.reduce((sum, { body }) => sum + body.added, 1)
      equal((await members()).length, added)
      ok(added <= 60)
      for (let left = { run }; left.run; ) {
        const { status, text, body } = await add({ run, want: 100 })
        equal(status, 200, text)
        left = body
      }
      equal((await members()).length, 60)
    })

    it('refuses a run of another segment, and filters that differ from those of the run', async () => {
      const { add, call } = await given('everyone')
      const { run } = (await add({ want: 1 })).body
      const other = await call('POST', '/segments', { query: 'others' })
      const path = `/segments/${other.body.id}/find/add`
      for (const [reply, pointer] of [
        [await call('POST', path, { run }), '/run'],
        [await add({ run: 'run_x' }), '/run'],
        [await add({ run, filters: { city: ['Ulm'] } }), '/filters'],
        [await add({ run, channel: 'professional_network' }), '/channel'],
        [await add({ want: 0 }), '/want'],
        [await add({ want: 1001 }), '/want'],
      ] as const) {
        equal(reply.status, 422, reply.text)
        equal(reply.body.errors[0].pointer, pointer)
      }
    })

    it('is answered 404 when the segment is deleted meanwhile', async () => {
      const { call, segment } = await given('everyone')
      await call('DELETE', `/segments/${segment}`)
      equal((await call('POST', `/segments/${segment}/find/add`, {})).status, 404)
    })

    it('leaves no name or address in workflow histories', async () => {
      const { add, id } = await given('everyone')
      await add({}, 'seen')
      const row = await eventually(
        () =>
          service.db
            .selectFrom('outbox')
            .select('args')
            .where('operation', '=', `${id}:seen`)
            .executeTakeFirst(),
        (found) => found !== undefined,
      )
      equal(/example|Molina/.test(JSON.stringify(row)), false)
    })
  })
})
