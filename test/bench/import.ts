import { randomUUID } from 'node:crypto'
import { withClient } from '../../dev/stack/postgres.ts'
import { eventually } from '../support/service.ts'
import { copyInto } from './copy.ts'
import type { Place, Size } from './place.ts'
import { compare, type Round } from './rounds.ts'

// An import of people with an address each, until it is done, beside COPY of the same rows into the same tables.

type Person = { name: string; email: string }

export async function importPeople(place: Place, { quick }: Size) {
  const [rows, rounds] = quick ? [2_000, 1] : [40_000, 3]
  await compare(
    `import ${rows} people`,
    { ours: () => byCall(place, peopleOf(rows)), floor: () => byCopy(place, peopleOf(rows)) },
    { rounds, warm: !quick },
  )
}

function peopleOf(rows: number): Person[] {
  const tag = randomUUID().slice(0, 8)
  return Array.from({ length: rows }, (_, i) => ({
    name: `Person ${i} of ${tag}`,
    email: `p${i}-${tag}@client.example`,
  }))
}

async function byCall(place: Place, people: Person[]): Promise<Round> {
  const { call } = await place.workspace()
  const lines = people.map(({ name, email }) => `${name},${email}`)
  const content = Buffer.from(`name,email\n${lines.join('\n')}\n`).toString('base64')
  const key = randomUUID()
  const file = { name: 'people.csv', content }
  const from = performance.now()
  const { status, text } = await call('POST', '/people/import', { file, commit: true }, { key })
  if (status !== 200) throw new Error(text)
  const { body } = await eventually(
    () => call('GET', `/operations/${key}`),
    ({ body }) => !['accepted', 'running', 'waiting'].includes(body.state),
    300_000,
  )
  if (body.state !== 'done') throw new Error(JSON.stringify(body))
  return { perSecond: (people.length / (performance.now() - from)) * 1000 }
}

async function byCopy(place: Place, people: Person[]): Promise<Round> {
  const { id: workspace } = await place.workspace()
  const now = new Date().toISOString()
  const ids = people.map(() => `per_${randomUUID()}`)
  const texts = {
    people: people.map(({ name }, i) => `${ids[i]}\t${workspace}\t${name}\t${now}\t${now}\n`),
    addresses: people.map(
      ({ email }, i) => `${workspace}\temail\t${email}\t${email}\t${ids[i]}\t0\n`,
    ),
  }
  const from = performance.now()
  await withClient(place.stack.databaseUrl, async (client) => {
    await client.query('begin')
    await copyInto(client, 'people (id, workspace, name, created_at, updated_at)', texts.people)
    const columns = 'addresses (workspace, kind, value, given, person, position)'
    await copyInto(client, columns, texts.addresses)
    await client.query('commit')
  })
  return { perSecond: (people.length / (performance.now() - from)) * 1000 }
}
