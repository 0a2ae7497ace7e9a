import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { newId } from '../../../db/ids.ts'
import { startModel, type TestModel, wellBehaved } from '../../support/model.ts'
import { givenCards, three } from '../../support/segments.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('judging by a model', function () {
  this.timeout(90_000)
  const judgingMs = 800
  let service: TestService
  let server: TestModel
  before(async function () {
    this.timeout(120_000)
    server = await startModel()
    service = await startService()
    await service.work(
      this.test?.ctx,
      { model: server.model(), judgingMs },
      { only: ['rows', 'remote'] },
    )
  })
  after(() => service.close())
  beforeEach(() => server.behave(wellBehaved))

  async function givenMany(n: number) {
    const given = await givenCards(service, [])
    const now = service.clock.now()
    const made = { jobTitle: '', company: '', createdAt: now, updatedAt: now }
    await service.db
      .insertInto('people')
      .values(
        Array.from({ length: n }, (_, i) => ({
          id: newId('per'),
          workspace: given.workspace,
          name: `P ${i}`,
          city: i % 2 ? 'Berlin' : 'Rome',
          ...made,
        })),
      )
      .execute()
    return given
  }

  it('keeps the verdict and the reason of each person', async () => {
    const { call } = await givenCards(service, three)
    const rules = [{ kind: 'except', text: 'cooks' }]
    const { status, body, text } = await call('POST', '/segments', { query: 'berlin', rules })
    equal(status, 200, text)
    deepEqual([body.judged, body.matched, body.remaining], [3, 2, 0])
    match(server.questions[0]?.system ?? '', /"kind":"except","text":"cooks"/)
    const { people } = (await call('GET', `/segments/${body.id}/people`)).body
    deepEqual(
      people.map((p: { verdict: { reason: string; version: number } }) => p.verdict.version),
      [1, 1],
    )
    equal(people[0].verdict.reason, 'The card says so. Judged by stand-in.')
  })

  it('asks about people in batches, several at once, and about each person once', async () => {
    const { call } = await givenMany(210)
    let open = 0
    let most = 0
    server.behave(async (question) => {
      most = Math.max(most, ++open)
      await new Promise((resolve) => setTimeout(resolve, 50))
      open--
      return wellBehaved(question)
    })
    const { body } = await call('POST', '/segments', { query: 'berlin' })
    deepEqual([body.judged, body.matched, body.remaining], [210, 105, 0])
    equal(server.questions.length, 11)
    ok(most > 1 && most <= 4, `${most} at once`)
  })

  it('ends a call within its time limit, and finishes in further calls', async () => {
    const { call } = await givenMany(400)
    server.behave(async (question) => ({ ...(await wellBehaved(question)), delayMs: 300 }))
    const started = performance.now()
    const first = await call('POST', '/segments', { query: 'berlin' })
    const ms = performance.now() - started
    // The questions that are open by then are waited for, and a busy machine answers late.
    ok(ms >= judgingMs && ms < 10 * judgingMs, `${ms} ms`)
    equal(first.body.judged + first.body.remaining, 400)
    ok(first.body.judged > 0 && first.body.remaining > 0, first.text)
    server.behave(wellBehaved)
    const more = { query: 'berlin', segment: first.body.id }
    const second = await call('POST', '/segments', more)
    deepEqual([second.body.judged, second.body.remaining], [first.body.remaining, 0])
    equal(second.body.members, 200)
  })

  it('asks in halves when an answer cannot be used, and reports whom it could not judge', async () => {
    const { call } = await givenCards(service, three)
    server.behave((question) =>
      JSON.stringify(question.data).includes('Cem')
        ? { content: 'nonsense' }
        : wellBehaved(question),
    )
    const { body } = await call('POST', '/segments', { query: 'berlin' })
    deepEqual([body.judged, body.matched, body.remaining], [3, 1, 0])
    const rows = await service.db
      .selectFrom('segmentPeople')
      .select('reason')
      .where('segment', '=', body.id)
      .where('reason', 'like', 'Not judged%')
      .execute()
    deepEqual(rows, [
      { reason: 'Not judged: the model gave no answer that can be used (model_unusable).' },
    ])
  })

  it('answers with what was judged when the model begins to fail', async () => {
    const { call } = await givenMany(100)
    let asked = 0
    server.behave((question) => (++asked > 2 ? { status: 500 } : wellBehaved(question)))
    const { status, body } = await call('POST', '/segments', { query: 'berlin' })
    equal(status, 200)
    deepEqual([body.judged, body.remaining], [40, 60])
  })

  it('asks a busy model again until it answers', async () => {
    const { call } = await givenCards(service, three)
    let asked = 0
    server.behave((question) => (++asked < 3 ? { status: 429 } : wellBehaved(question)))
    const { body } = await call('POST', '/segments', { query: 'berlin' })
    deepEqual([body.judged, body.remaining], [3, 0])
  })
})
