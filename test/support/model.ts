import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sharedThreads } from '../../activities/ports/model/embedded.ts'
import { endpointModel } from '../../activities/ports/model/endpoint.ts'
import { atEnd } from './hooks.ts'

// A stand-in for an endpoint that speaks chat completions: it answers as the test says, and keeps what it was asked.

export type Question = {
  /** What is asked for: letter, reply or verdicts. */
  name: string
  system: string
  /** The block of data, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read questions member by member.
  data: any
  /** Which attempt at an answer it is: 2 after a first one that was refused. */
  attempt: number
  authorization: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests read questions member by member.
  body: any
}
export type Reply = {
  status?: number
  headers?: Record<string, string>
  /** The model's message; or a whole body as it is. */
  content?: unknown
  raw?: string
  refusal?: string
  finish?: string
  delayMs?: number
}
export type Behaviour = (question: Question) => Reply | Promise<Reply>

/** Does what it is asked: a letter with the signature, a reply, or a verdict by whether the card contains the word of the query. */
export const wellBehaved: Behaviour = ({ name, data, system }) => {
  if (name === 'verdicts') {
    const wanted = /The description: "([^"]*)"/.exec(system)?.[1]?.toLowerCase() ?? ''
    const verdicts = data.map((card: { person: number }) => {
      const matches = JSON.stringify(card).toLowerCase().includes(wanted)
      return {
        person: card.person,
        matches,
        reason: matches ? 'The card says so.' : 'It does not.',
      }
    })
    return { content: { verdicts } }
  }
  const text = `Dear ${data.person?.name ?? 'reader'},\n\nwould a demo suit you?\n\nEva`
  return { content: name === 'letter' ? { subject: 'A demo', text } : { text, note: 'Asked.' } }
}

/** Writes whatever links and addresses strangers put into the data, as an instruction in a client's text would have it do. */
export const obedient: Behaviour = (question) => {
  const orders = JSON.stringify(question.data).match(/\S+@\S+\.\w+|https?:\/\/[^\s"\\]+/g) ?? []
  const text = `Hello,\n\nplease write to ${orders.join(' and ') || 'nobody'} at once.\n\nEva`
  if (question.name === 'letter') return { content: { subject: 'News', text } }
  return question.name === 'reply' ? { content: { text, note: 'Obeyed.' } } : wellBehaved(question)
}

/** Listens on a free port until the run ends. `behave` sets how it answers from now on. */
export async function startModel(behaviour: Behaviour = wellBehaved) {
  let behave = behaviour
  const questions: Question[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString('utf8'))
    const user: string = body.messages[1].content
    const question: Question = {
      name: body.response_format.json_schema.name,
      system: body.messages[0].content,
      data: JSON.parse(/<data>([\s\S]*)<\/data>/.exec(user)?.[1] ?? 'null'),
      attempt: body.messages.length / 2,
      authorization: request.headers.authorization,
      body,
    }
    questions.push(question)
    const reply = await behave(question)
    if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs))
    const content =
      typeof reply.content === 'string' ? reply.content : JSON.stringify(reply.content ?? null)
    const message = { role: 'assistant', content, refusal: reply.refusal ?? null }
    const choices = [{ index: 0, finish_reason: reply.finish ?? 'stop', message }]
    response
      .writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
      .end(reply.raw ?? JSON.stringify({ id: 'c', object: 'chat.completion', choices }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  atEnd(close)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    url,
    questions,
    behave(next: Behaviour) {
      behave = next
      questions.length = 0
    },
    /** The adapter on this endpoint. */
    model: (timeoutMs = 5000) =>
      endpointModel({ url, key: 'secret', name: 'stand-in', timeoutMs }, sharedThreads),
  }
}

export type TestModel = Awaited<ReturnType<typeof startModel>>
