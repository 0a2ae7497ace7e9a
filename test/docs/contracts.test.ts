import { deepEqual, equal, ok } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { type BridgeMessage, postMessage } from '../../activities/ports/bridge/bridge.ts'
import type { FindChannel } from '../../activities/ports/finder/finder.ts'
import { httpFinder } from '../../activities/ports/finder/http-finder.ts'
import { complete } from '../../activities/ports/model/endpoint.ts'
import { Message, Status } from '../../api/public/bridge.ts'
import { fencesOf, textOf } from '../support/documents.ts'

// Authors of a bridge, a finder or a model's endpoint follow the examples: each is tested here against the code that calls.

const secret = `whsec_${Buffer.from('a secret of the tests of 32 byte').toString('base64')}`

/** The examples of a page with this note, as JSON. */
const examples = (page: string, note: string) =>
  fencesOf(textOf(`docs/${page}.md`)).flatMap(({ language, text }) =>
    language === `json ${note}` ? [JSON.parse(text)] : [],
  )
const example = (page: string, note: string) => {
  const [first] = examples(page, note)
  ok(first, `docs/${page}.md has an example “${note}”`)
  return first
}

/** Answers one request with a body and returns the request; `work` sends it to the address it is given. */
async function answering<T>(body: unknown, work: (url: string) => Promise<T>) {
  const asked: { path: string; body: unknown; text: string; headers: Record<string, string> }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const headers = request.headers as Record<string, string>
    asked.push({ path: request.url ?? '', body: JSON.parse(text), text, headers })
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const answer = await work(`http://127.0.0.1:${port}`)
    equal(asked.length, 1)
    return { answer, asked: asked[0] as (typeof asked)[number] }
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const isSigned = ({ text, headers }: { text: string; headers: Record<string, string> }) =>
  ok(new Webhook(secret).verify(text, headers))

describe('the examples of docs/bridges.md', () => {
  it('of requests to a bridge have the members that are sent, signed', async () => {
    const message = example('bridges', 'bridge message')
    // A member more or less does not compile.
    const members: Record<keyof BridgeMessage, true> = {
      id: true,
      connection: true,
      account: true,
      conversation: true,
      to: true,
      text: true,
      inReplyTo: true,
      files: true,
    }
    deepEqual(Object.keys(message).sort(), Object.keys(members).sort())
    const { answer, asked } = await answering({ id: 'b-81724' }, (url) =>
      postMessage({ url, secret }, message),
    )
    deepEqual([asked.path, asked.body], ['/messages', message])
    isSigned(asked)
    equal(asked.headers['webhook-id'], message.id)
    deepEqual(answer, { kind: 'accepted', externalId: 'b-81724' })
  })

  it('of what a bridge reports are accepted', () => {
    const told = examples('bridges', 'bridge told')
    deepEqual(
      told.map(({ type }) => type),
      ['message.received', 'message.status'],
    )
    for (const [i, shape] of [Message, Status].entries()) {
      const data = shape.strip().parse(told[i].data)
      for (const name of Object.keys(told[i].data)) ok(name in data, `${name} is known`)
    }
  })
})

describe('the examples of docs/finder.md', () => {
  const finderAt = (url: string) => httpFinder({ url, secret })
  const asks = (call: string) => example('finder', `finder ${call} asks`)
  const answers = (call: string) => example('finder', `finder ${call} answers`)
  const workspace = 'wsp_demo'

  it('of a search are what is sent and what is accepted', async () => {
    const question = asks('search') as { words: string; channel: FindChannel; filters: object }
    const { answer, asked } = await answering(answers('search'), (url) =>
      finderAt(url).search({ ...question, filters: { ...question.filters }, workspace }),
    )
    deepEqual([asked.path, asked.body], ['/search', question])
    isSigned(asked)
    deepEqual(answer, answers('search'))
  })

  it('of a page of people are what is sent and what is accepted', async () => {
    const question = asks('people')
    const { answer, asked } = await answering(answers('people'), (url) =>
      finderAt(url).people({ ...question, workspace }),
    )
    deepEqual([asked.path, asked.body], ['/people', question])
    const { people, cursor } = answers('people')
    // A null becomes an empty string.
    const known = people.map((person: object) =>
      Object.fromEntries(Object.entries(person).map(([name, value]) => [name, value ?? ''])),
    )
    deepEqual(answer, { people: known, cursor })
  })
})

describe('the examples of docs/model.md', () => {
  it('are what is sent to a model and what is accepted', async () => {
    const question = example('model', 'model asks')
    const { name, schema } = question.response_format.json_schema
    const { answer, asked } = await answering(example('model', 'model answers'), (url) =>
      complete({ url, name: question.model, timeoutMs: 10_000 }, question.messages, {
        name,
        schema,
      }),
    )
    deepEqual([asked.path, asked.body], ['/chat/completions', question])
    equal(answer.kind, 'text')
  })
})

describe('the example of docs/events.md', () => {
  it('of a delivery to a webhook has the event of the example above it', () => {
    const event = example('events', 'answer GET /events').events[0]
    const { type, timestamp, data } = example('events', 'webhook')
    deepEqual([type, timestamp], [event.kind, event.at])
    const { id, resource } = event
    deepEqual(data, { ...event.data, id, workspace: 'wsp_demo', resource })
  })
})
