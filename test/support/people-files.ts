import { randomUUID } from 'node:crypto'
import type { TestService } from './service.ts'

type Workspace = Awaited<ReturnType<TestService['workspace']>>

/** A CSV file of people, as a call carries it. */
export const fileOf = (text: string) => ({
  name: 'people.csv',
  content: Buffer.from(text).toString('base64'),
})

/** The text of a file of this many people. */
export const many = (count: number) =>
  `name,email,company\n${Array.from({ length: count }, (_, i) => `Person ${i},p${i}@x.test,Firm ${i % 7}`).join('\n')}`

/** Everyone in a workspace, page by page. */
export const everyone = async ({ call }: Workspace) => {
  const people: Record<string, unknown>[] = []
  for (let cursor = ''; cursor !== null; ) {
    const { body } = await call('GET', `/people?limit=200&cursor=${cursor}`)
    people.push(...body.people)
    cursor = body.next
  }
  return people
}

/** Imports the people of a file. */
export const commit = (
  workspace: Workspace,
  text: string,
  more: object = {},
  key: string = randomUUID(),
) =>
  workspace.call('POST', '/people/import', { file: fileOf(text), commit: true, ...more }, { key })
