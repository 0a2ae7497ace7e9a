import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileKeys } from '../../../clients/typescript/src/node.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { atEnd } from '../../support/hooks.ts'
import { pythonBin } from '../../support/python.ts'
import { type SharedService, sharedService } from '../../support/service.ts'
import { type Line, type Trouble, troubledLine, troubles } from '../../support/troubled-line.ts'
import { kinds, type Python, PythonError, startDriver } from './python.ts'

/** A line, and a conversation of its workspace. */
async function given(service: SharedService) {
  const workspace = await service.workspace()
  const { db, clock } = service
  const from = 'kim@client.example'
  const people = await givenPeople(db, workspace.id, [{ name: 'Kim', email: from }], clock.now())
  const conversation = await givenConversation(db, workspace.id, {
    person: people[0] as string,
    connection: workspace.connections[0],
    from,
    at: clock.now(),
  })
  const line = await troubledLine(service.url)
  return { ...workspace, conversation, line }
}

const keysIn = (line: Line) => [
  ...new Set(line.requests.map(({ headers }) => headers['idempotency-key'])),
]

function folder() {
  const made = mkdtempSync(join(tmpdir(), 'postroom-keys-'))
  atEnd(async () => rmSync(made, { recursive: true, force: true }))
  return join(made, 'november')
}

for (const kind of kinds)
  describe(`a change through ${kind} of Python`, function () {
    this.timeout(60_000)
    let service: SharedService
    let python: Python
    let at: Awaited<ReturnType<typeof given>>
    before(async function () {
      this.timeout(600_000)
      const bin = await pythonBin(this)
      service = await sharedService(this.test?.ctx)
      python = startDriver(bin, kind)
    })
    after(() => void python?.close())
    beforeEach(async () => {
      at = await given(service)
    })
    afterEach(() => at.line.close())

    const client = (options: Record<string, unknown> = {}) =>
      python.client({ url: `${at.line.url}/api/v1`, token: at.token, ...options })
    const note = (text: string, how: Record<string, unknown> = {}) =>
      python.call('add_note', [at.conversation], { text, ...how })
    const notes = async () => {
      const { body } = await at.call('GET', `/conversations/${at.conversation}`)
      return body.notes.map(({ text }: { text: string }) => text)
    }

    for (const trouble of Object.keys(troubles) as Trouble[])
      it(`is carried out once, although ${troubles[trouble]}`, async () => {
        at.line.set((n) => (n <= 2 ? trouble : undefined))
        await client({ timeout_seconds: trouble === 'late' ? 5 : 30 })
        equal((await note('Once.')).text, 'Once.')
        deepEqual(await notes(), ['Once.'])
        equal(at.line.requests.length, trouble === 'twice' ? 1 : 3)
        equal(keysIn(at.line).length, 1)
      })

    it('is given up when its time is over, and says by which key it goes on', async () => {
      at.line.set(() => 'no answer')
      await client({ retry_for_seconds: 0.3 })
      const error = await note('Late.').catch((error) => error)
      ok(error instanceof PythonError)
      equal(error.code, 'no_answer')
      at.line.set(() => undefined)
      const { key } = error.failure
      ok(key)
      const answer = await python.answer('add_note', [at.conversation], { text: 'Late.', key })
      deepEqual([answer.replayed, answer.key, answer.status], [true, key, 200])
      deepEqual(await notes(), ['Late.'])
    })

    it('waits at least as long as the service says', async () => {
      at.line.set((n) => (n === 1 ? 'rate limited' : undefined))
      await client()
      const from = Date.now()
      await note('Later.')
      ok(Date.now() - from >= 1_000)
    })

    it('does not wait for what comes after its time', async () => {
      at.line.set(() => 'rate limited')
      await client({ retry_for_seconds: 0.5 })
      await rejects(note('Never.'), { code: 'rate_limited' })
      equal(at.line.requests.length, 1)
    })

    if (kind === 'AsyncPostroom')
      it('ends with its task, while it is under way and while it waits', async () => {
        for (const trouble of ['late', 'rate limited'] as const) {
          at.line.set(() => trouble)
          await client()
          const args = [at.conversation]
          const kwargs = { text: 'Ended.' }
          const given = { seconds: 0.3, method: 'add_note', args, kwargs }
          equal(await python.ask('within', given), 'ended')
        }
      })

    it('refuses what is neither an option nor a member', async () => {
      await client()
      await rejects(note('No.', { colour: 'red' }), /TypeError/)
      await rejects(note('No.', { step: 'a', key: 'b' }), { code: 'invalid_options' })
      await rejects(note('No.', { step: '' }), { code: 'invalid_options' })
      await rejects(note('No.', { key: 'two words' }), { code: 'invalid_options' })
      equal(at.line.requests.length, 0)
    })

    describe('as a step', () => {
      const stores: Record<string, () => Record<string, unknown>> = {
        memory: () => ({}),
        files: () => ({ folder: folder() }),
        ...(kind === 'AsyncPostroom' && { coroutines: () => ({ store: 'coroutines' }) }),
      }
      for (const [where, store] of Object.entries(stores))
        it(`has the same answer however often it is taken, with keys in ${where}`, async () => {
          const options = store()
          await client(options)
          const ids: string[] = []
          for (const text of ['first', 'second', 'first', 'second', 'first']) {
            // Files outlive the client that wrote them.
            if (where === 'files') await client(options)
            ids.push((await note(text, { step: `note ${text}` })).id)
          }
          equal(new Set(ids).size, 2)
          deepEqual((await notes()).sort(), ['first', 'second'])
        })

      it('is one call where programs take it at the same time', async () => {
        await client({ folder: folder() })
        const kwargs = { text: 'Together.', step: 'together' }
        const given = { n: 8, method: 'add_note', args: [at.conversation], kwargs }
        const all = await python.ask('together', given)
        equal(new Set(all.map(({ id }: { id: string }) => id)).size, 1)
        deepEqual(await notes(), ['Together.'])
      })

      it('has the key that a program in TypeScript has kept, in a file for its owner alone', async () => {
        const place = folder()
        await client({ folder: place })
        await note('One.', { step: 'one' })
        const now = new Date().toISOString()
        const { key } = await fileKeys(place).keep('one', { key: 'other', usedAt: now })
        equal(key, at.line.requests[0]?.headers['idempotency-key'])
        await fileKeys(place).keep('two', { key: 'of TypeScript', usedAt: now })
        const of = await python.ask('keep', {
          step: 'two',
          key: 'other',
          used_at: '2026-11-23T09:00:00+00:00',
        })
        equal(of.key, 'of TypeScript')
        equal(statSync(place).mode & 0o777, 0o700)
        for (const name of readdirSync(place))
          equal(statSync(join(place, name)).mode & 0o777, 0o600)
      })

      it('refuses another call under the same name', async () => {
        await client()
        await note('This.', { step: 'note' })
        await rejects(note('That.', { step: 'note' }), { code: 'idempotency_key_reused' })
        deepEqual(await notes(), ['This.'])
      })

      it('is another call once it is forgotten', async () => {
        await client({ folder: folder() })
        await note('Again.', { step: 'note' })
        await python.ask('forget', { step: 'note' })
        await note('Again.', { step: 'note' })
        deepEqual(await notes(), ['Again.', 'Again.'])
      })

      it('is not called when its key is older than the service keeps keys', async () => {
        await client({ folder: folder() })
        const daysAgo = (days: number) =>
          new Date(Date.now() - days * 86_400_000).toISOString().replace('Z', '+00:00')
        await python.ask('keep', { step: 'old', key: 'old', used_at: daysAgo(29.1) })
        await python.ask('keep', { step: 'young', key: 'young', used_at: daysAgo(28) })
        await rejects(note('Old.', { step: 'old' }), { code: 'step_too_old' })
        equal(at.line.requests.length, 0)
        const from = Date.now()
        await note('Young.', { step: 'young' })
        // Its repeat counts from now on.
        const kept = await python.ask('keep', { step: 'young', key: 'other', used_at: daysAgo(0) })
        equal(kept.key, 'young')
        ok(Date.parse(kept.used_at) >= from - 1)
      })
    })
  })
