import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Client,
  createClient,
  type KeyStore,
  memoryKeys,
  PostroomError,
} from '../../../clients/typescript/src/index.ts'
import { fileKeys } from '../../../clients/typescript/src/node.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { atEnd } from '../../support/hooks.ts'
import { type SharedService, sharedService } from '../../support/service.ts'
import { type Line, type Trouble, troubledLine, troubles } from '../../support/troubled-line.ts'

type Given = Awaited<ReturnType<typeof given>>

/** A client behind a line, and a conversation of its workspace. */
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
  return { ...workspace, conversation, line, client }

  function client(options: Partial<Parameters<typeof createClient>[0]> = {}): Client {
    return createClient({ url: `${line.url}/api/v1`, token: workspace.token, ...options })
  }
}

const keysIn = (line: Line) => [
  ...new Set(line.requests.map(({ headers }) => headers['idempotency-key'])),
]

describe('a change through @postroom/client', () => {
  let service: SharedService
  let at: Given
  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })
  beforeEach(async () => {
    at = await given(service)
  })
  afterEach(() => at.line.close())

  const notes = async () => {
    const { body } = await at.call('GET', `/conversations/${at.conversation}`)
    return body.notes.map(({ text }: { text: string }) => text)
  }

  for (const trouble of Object.keys(troubles) as Trouble[])
    it(`is carried out once, although ${troubles[trouble]}`, async () => {
      at.line.set((n) => (n <= 2 ? trouble : undefined))
      const client = at.client({ timeoutMs: trouble === 'late' ? 5_000 : 30_000 })
      const note = await client.addNote(at.conversation, { text: 'Once.' })
      equal(note.text, 'Once.')
      deepEqual(await notes(), ['Once.'])
      equal(at.line.requests.length, trouble === 'twice' ? 1 : 3)
      equal(keysIn(at.line).length, 1)
    })

  it('is given up when its time is over, and says by which key it goes on', async () => {
    at.line.set(() => 'no answer')
    const client = at.client({ retryForMs: 300 })
    const error = await client.addNote(at.conversation, { text: 'Late.' }).then(
      () => undefined,
      (error) => error,
    )
    ok(error instanceof PostroomError)
    equal(error.code, 'no_answer')
    at.line.set(() => undefined)
    const { key } = error
    ok(key)
    const answer = await client.addNote(at.conversation, { text: 'Late.' }, { key }).answer()
    deepEqual([answer.replayed, answer.key, answer.status], [true, key, 200])
    deepEqual(await notes(), ['Late.'])
  })

  it('waits at least as long as the service says', async () => {
    at.line.set((n) => (n === 1 ? 'rate limited' : undefined))
    const from = Date.now()
    await at.client().addNote(at.conversation, { text: 'Later.' })
    ok(Date.now() - from >= 1_000)
  })

  it('does not wait for what comes after its time', async () => {
    at.line.set(() => 'rate limited')
    const call = at.client({ retryForMs: 500 }).addNote(at.conversation, { text: 'Never.' })
    await rejects(call, { code: 'rate_limited', status: 429 })
    equal(at.line.requests.length, 1)
  })

  it('ends with its signal, while it is under way and while it waits', async () => {
    for (const trouble of ['late', 'rate limited'] as const) {
      at.line.set(() => trouble)
      const why = new Error('enough')
      const signal = AbortSignal.timeout(200)
      const ended = new AbortController()
      signal.addEventListener('abort', () => ended.abort(why))
      const call = at
        .client()
        .addNote(at.conversation, { text: 'Ended.' }, { signal: ended.signal })
      await rejects(call, why)
    }
  })

  describe('as a step', () => {
    const folders: Record<string, () => KeyStore> = {
      memory: () => memoryKeys(),
      files: () => {
        const folder = mkdtempSync(join(tmpdir(), 'postroom-keys-'))
        atEnd(async () => rmSync(folder, { recursive: true, force: true }))
        return fileKeys(join(folder, 'november'))
      },
    }
    for (const [where, store] of Object.entries(folders))
      it(`has the same answer however often it is taken, with keys in ${where}`, async () => {
        const keys = store()
        const texts = ['first', 'second', 'first', 'second', 'first']
        const ids: string[] = []
        for (const text of texts) {
          const note = await at
            .client({ keys })
            .addNote(at.conversation, { text }, { step: `note ${text}` })
          ids.push(note.id)
        }
        equal(new Set(ids).size, 2)
        deepEqual((await notes()).sort(), ['first', 'second'])
      })

    it('is one call where programs take it at the same time', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'postroom-keys-'))
      atEnd(async () => rmSync(folder, { recursive: true, force: true }))
      const all = await Promise.all(
        Array.from({ length: 8 }, () =>
          at
            .client({ keys: fileKeys(folder) })
            .addNote(at.conversation, { text: 'Together.' }, { step: 'together' }),
        ),
      )
      equal(new Set(all.map(({ id }) => id)).size, 1)
      deepEqual(await notes(), ['Together.'])
    })

    it('refuses another call under the same name', async () => {
      const client = at.client()
      await client.addNote(at.conversation, { text: 'This.' }, { step: 'note' })
      const other = client.addNote(at.conversation, { text: 'That.' }, { step: 'note' })
      await rejects(other, { code: 'idempotency_key_reused' })
      deepEqual(await notes(), ['This.'])
    })

    it('is another call once it is forgotten', async () => {
      const client = at.client()
      const take = () => client.addNote(at.conversation, { text: 'Again.' }, { step: 'note' })
      await take()
      await client.keys.forget('note')
      await take()
      deepEqual(await notes(), ['Again.', 'Again.'])
    })

    it('is not called when its key is older than the service keeps keys', async () => {
      const keys = memoryKeys()
      const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
      await keys.keep('old', { key: 'old', usedAt: daysAgo(29.1) })
      await keys.keep('young', { key: 'young', usedAt: daysAgo(28) })
      const client = at.client({ keys })
      const old = client.addNote(at.conversation, { text: 'Old.' }, { step: 'old' })
      await rejects(old, { code: 'step_too_old', key: 'old' })
      equal(at.line.requests.length, 0)
      const from = Date.now()
      await client.addNote(at.conversation, { text: 'Young.' }, { step: 'young' })
      // Its repeat counts from now on.
      const { usedAt } = await keys.keep('young', { key: 'other', usedAt: daysAgo(0) })
      ok(Date.parse(usedAt) >= from - 1)
    })
  })
})
