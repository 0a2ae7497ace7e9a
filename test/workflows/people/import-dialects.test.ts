import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { fileOfPeople } from '../../support/people-corpus.ts'
import { everyone } from '../../support/people-files.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

describe('files of other programs', () => {
  let service: SharedService
  before(async function () {
    service = await sharedService(this.test?.ctx)
  })

  it('become cards of their people, and those who want no letters are suppressed', async () => {
    const workspace = await service.workspace()
    const { call } = workspace
    const files = Array.from({ length: 11 }, (_, n) => fileOfPeople(n))
    for (const { what, content } of files) {
      const file = { name: 'people', content: content.toString('base64') }
      const body = { file, commit: true }
      const { status, text } = await call('POST', '/people/import', body, { key: randomUUID() })
      equal(status, 200, `${what}: ${text}`)
    }
    const people = files.flatMap((file) => file.people)
    const cards = await everyone(workspace)
    deepEqual(
      cards.map(({ name, emails }) => `${name} ${emails}`).sort(),
      people.map(({ first, last, emails }) => `${first} ${last} ${emails}`).sort(),
    )
    const { suppressions } = (await call('GET', '/suppressions?limit=200')).body
    deepEqual(
      suppressions
        .map(({ address, reason }: Record<string, string>) => `${reason} ${address}`)
        .sort(),
      people
        .flatMap(({ stop, emails }) => {
          const named = stop === 'bounce' ? emails.slice(0, 1) : emails
          return stop ? named.map((email) => `${stop} ${email}`) : []
        })
        .sort(),
    )
  })
})
