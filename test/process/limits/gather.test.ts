import { deepEqual, equal, rejects } from 'node:assert/strict'
import { gathered } from '../../../process/limits/gather.ts'

/** What is asked for is answered when the test says so, statement by statement. */
function opened(how: Parameters<typeof gathered>[1] = {}) {
  const db = {}
  const statements: { lane: string; asks: string[]; end(error?: Error): void }[] = []
  const ask = gathered<object, string, string>(
    (_db, lane, asks) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) =>
          error ? reject(error) : resolve(asks.map((one) => `${one} of ${lane}`))
        statements.push({ lane, asks, end })
      }),
    how,
  )
  return { statements, ask: (lane: string, one: string) => ask(db, lane, one) }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

describe('what is asked for at the same time', () => {
  it('is carried out at once when nothing else is', async () => {
    const { statements, ask } = opened()
    const asked = ask('w', 'a')
    deepEqual(
      statements.map(({ asks }) => asks),
      [['a']],
    )
    statements[0]?.end()
    equal(await asked, 'a of w')
  })

  it('waits for a statement to end, and is then carried out together, each with its own result', async () => {
    const { statements, ask } = opened()
    const asked = ['a', 'b', 'c', 'd', 'e', 'f'].map((one) => ask('w', one))
    equal(statements.length, 1)
    statements[0]?.end()
    await soon()
    deepEqual(statements[1]?.asks, ['b', 'c', 'd', 'e', 'f'])
    statements[1]?.end()
    deepEqual(
      await Promise.all(asked),
      ['a', 'b', 'c', 'd', 'e', 'f'].map((one) => `${one} of w`),
    )
  })

  it('never waits for another workspace', () => {
    const { statements, ask } = opened()
    for (const one of ['a', 'b', 'c']) void ask('w', one)
    void ask('other', 'd')
    deepEqual(
      statements.map(({ lane }) => lane),
      ['w', 'other'],
    )
  })

  it('does not wait for a statement that is slow, of which there is a bounded number', async () => {
    const { statements, ask } = opened({ take: () => 1 })
    for (let i = 0; i < 40; i++) void ask('w', String(i))
    const begun = Date.now()
    while (statements.length < 8 && Date.now() - begun < 5_000)
      await new Promise((resolve) => setTimeout(resolve, 10))
    await new Promise((resolve) => setTimeout(resolve, 120))
    equal(statements.length, 8)
    for (const statement of statements) statement.end()
  })

  it('is decided for each alone after an error that is that of one of them', async () => {
    const { statements, ask } = opened({ isOfOne: (error) => (error as Error).message === 'taken' })
    const asked = ['a', 'b', 'c', 'd'].map((one) => ask('w', one))
    statements[0]?.end()
    await soon()
    deepEqual(statements[1]?.asks, ['b', 'c', 'd'])
    statements[1]?.end(new Error('taken'))
    await soon()
    const alone = statements.slice(2)
    deepEqual(
      alone.map(({ asks }) => asks),
      [['b'], ['c'], ['d']],
    )
    const refused = rejects(asked[1] as Promise<string>, /taken/)
    for (const [i, { end }] of alone.entries()) end(i === 0 ? new Error('taken') : undefined)
    await refused
    deepEqual([await asked[2], await asked[3]], ['c of w', 'd of w'])
  })

  it('fails for all after any other error', async () => {
    const { statements, ask } = opened({ isOfOne: () => false })
    const asked = ['a', 'b', 'c', 'd'].map((one) => ask('w', one))
    const refused = asked.slice(1).map((one) => rejects(one, /gone/))
    statements[0]?.end()
    await soon()
    statements[1]?.end(new Error('gone'))
    await Promise.all(refused)
  })
})
