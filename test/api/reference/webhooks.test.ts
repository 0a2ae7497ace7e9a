import { deepEqual, equal, ok } from 'node:assert/strict'
import { describeApi } from '../../../api/reference/openapi.ts'
import { routes } from '../../../api/routes/index.ts'
import { eventKinds } from '../../../rules/event-kinds.ts'

// That events are as they are described is held by the suites that record them (test/support/event-data.ts).

// biome-ignore lint/suspicious/noExplicitAny: a document is read member by member.
type Any = any
const documentOf = (variant: 'full' | 'reduced'): Any =>
  describeApi(routes, { variant, publicUrl: 'http://127.0.0.1' })

describe('the webhooks of the OpenAPI document', () => {
  const { webhooks, components } = documentOf('full')
  const named = ({ $ref }: Any) => components.schemas[$ref.split('/').at(-1)]
  const bodyOf = (kind: string) => {
    const { schema } = webhooks[kind].post.requestBody.content['application/json']
    const { type, data } = named(schema).properties
    return { type, data: named(data) }
  }

  it('have an entry for each kind of event, and for the test of a webhook', () => {
    deepEqual(Object.keys(webhooks).toSorted(), [...eventKinds, 'webhook.test'].toSorted())
  })

  it('say what the data of each kind may hold', () => {
    for (const kind of eventKinds) {
      const { type, data } = bodyOf(kind)
      equal(type.const, kind)
      for (const name of ['id', 'workspace', 'resource', 'externalId', 'client', 'key'])
        ok(data.properties[name].description, `${kind} ${name}`)
      deepEqual(data.required, ['id', 'workspace', 'resource'])
    }
    const { intent, importance, suspect } = bodyOf('message.received').data.properties
    const open = 'x-extensible-enum'
    ok(intent[open].includes('quote') && importance[open].includes('high'))
    equal(suspect.type, 'boolean')
    const { message } = bodyOf('touch.sent').data.properties
    deepEqual(message.type, ['string', 'null'])
  })

  it('have the headers of their signature', () => {
    for (const { post } of Object.values<Any>(webhooks))
      for (const { $ref } of post.parameters)
        ok(components.parameters[$ref.split('/').at(-1)].name.startsWith('webhook-'))
  })

  it('are left out where there are none', () => {
    equal(documentOf('reduced').webhooks, undefined)
  })
})
