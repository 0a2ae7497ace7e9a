import { deepEqual } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bones, breaking } from './breaking.ts'
import { documents } from './documents.ts'

// biome-ignore lint/suspicious/noExplicitAny: the documents are walked member by member.
type Any = any

const present = (name: keyof typeof documents): Any =>
  bones(JSON.parse(JSON.stringify(documents[name]())))

describe('a client of the last release', () => {
  // A change that breaks one needs a new version of the interface. What was only added is kept when a release is made
  // (test/contract/keep-documents.ts).
  for (const name of Object.keys(documents) as (keyof typeof documents)[])
    it(`finds everything that it relies on in the document: ${name}`, async () => {
      const kept = await readFile(join(import.meta.dirname, 'released', `${name}.json`), 'utf8')
      deepEqual(breaking(JSON.parse(kept), present(name)), [])
    })
})

describe('what breaks a client', () => {
  const before = present('api')
  const changed = (change: (api: Any) => void) => {
    const after = structuredClone(before)
    change(after)
    return breaking(before, after)
  }
  const people = '/api/v1/people'

  it('is a call that is gone or has another name', () => {
    deepEqual(
      changed(({ paths }) => delete paths['/api/v1/house']),
      ['GET /api/v1/house is gone'],
    )
    deepEqual(
      changed(({ paths }) => {
        paths[people].post.operationId = 'addPerson'
      }),
      ['POST /api/v1/people is addPerson, and was createPerson'],
    )
  })

  it('is a member that is gone, has another type, or may be missing', () => {
    deepEqual(
      changed(({ schemas }) => delete schemas.Hold.properties.why),
      ['Hold.why is gone'],
    )
    deepEqual(
      changed(({ schemas }) => {
        schemas.House.properties.rules.type = 'integer'
      }),
      ['House.rules is ["integer"], and was ["string"]'],
    )
    deepEqual(
      changed(({ schemas }) => {
        schemas.House.required = ['rules']
      }),
      ['House.updatedAt may be missing'],
    )
  })

  it('is a member or a parameter that is required from now on, and a value that is not known any more', () => {
    deepEqual(
      changed(({ schemas }) => {
        schemas.NewSuppression.properties.note = { type: 'string' }
        schemas.NewSuppression.required.push('note')
      }),
      ['NewSuppression.note is required'],
    )
    deepEqual(
      changed(({ paths }) => {
        paths[people].get.parameters.push({ name: 'tenant', in: 'query', required: true })
      }),
      ['GET /api/v1/people needs tenant'],
    )
    deepEqual(
      changed(({ schemas }) => {
        schemas.CampaignStateChange.properties.to.enum = ['running', 'paused']
      }),
      ['CampaignStateChange.to knows no "done" any more'],
    )
  })

  it('is no null for a member of a body that may be left out, but what else has become of it', () => {
    const oftenNull = (member: object) =>
      changed(({ schemas }) => {
        schemas.NewSuppression.properties.address = {
          ...{ 'x-null': 'absent', anyOf: [member, { type: 'null' }] },
        }
      })
    deepEqual(oftenNull({ type: 'string' }), [])
    deepEqual(oftenNull({ type: 'integer' }), [
      'NewSuppression.address is ["integer"], and was ["string"]',
    ])
  })

  it('is nothing that is only added', () => {
    deepEqual(
      changed(({ paths, schemas }) => {
        paths['/api/v1/more'] = paths[people]
        schemas.House.properties.more = { type: 'string' }
        schemas.House.required.push('more')
        schemas.NewSuppression.properties.note = { type: 'string' }
      }),
      [],
    )
  })
})
