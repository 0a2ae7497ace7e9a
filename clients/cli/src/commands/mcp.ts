import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { CommandFailure, exits } from '../failure.ts'
import { type Add, helped } from '../helped.ts'
import type { Login } from '../session.ts'

// The tools for agents over stdin and stdout, for programs that start their tools. It is a bridge and nothing more: each message goes
// to /mcp of the service with the token of the login, and what comes back is written out. So there is one implementation of the tools.
// stdout holds messages of the protocol alone.

const longestLine = 1024 * 1024
const mostAtOnce = 8

export const addMcp: Add = (program, run) => {
  helped(
    program
      .command('mcp')
      .summary('give an agent the tools of its token, over stdin and stdout')
      .description(
        'Speaks the Model Context Protocol over stdin and stdout, for programs that start their tools themselves. It has the tools that the scopes of the login allow. Give each agent a token of its own, under a name of its own: `postroom login --profile agent`. It ends with its input.',
      ),
    'postroom login --profile agent',
    'postroom mcp --profile agent',
  ).action((_given: object, command: Command) =>
    run(command, async (session) => bridge(await session.login(), session.signal)),
  )
}

/** Where the tools are, beside the API. @throws CommandFailure where the token would travel unprotected, or opens no tools. */
function doorOf({ url, token }: Login): URL {
  const { protocol, hostname } = new URL(url)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !isHere)
    throw new CommandFailure({
      exit: exits.login,
      code: 'address_not_private',
      message: `${url} is neither https nor on this machine, and the token would travel in the clear.`,
      hint: 'Log in with the https address of the service.',
    })
  if (!token.startsWith('prm_'))
    throw new CommandFailure({
      exit: exits.login,
      code: 'token_unsuitable',
      message: 'This is not the token of a member (prm_…), and tools are offered to no other.',
      hint: 'Ask the operator for one, and run `postroom login --profile agent`.',
    })
  return new URL(`${url.replace(/\/api\/v1$/, '')}/mcp`)
}

type Message = { id?: string | number; method?: string; params?: Params }
type Params = { _meta?: Record<string, unknown>; name?: string }

async function bridge(login: Login, signal: AbortSignal): Promise<void> {
  const door = doorOf(login)
  /** What was agreed on at the beginning; a message of the newer protocol says it by itself. */
  let agreed: string | undefined

  async function pass(line: string) {
    let message: Message
    try {
      message = JSON.parse(line)
    } catch {
      return write(problem(null, -32700, 'Not JSON.'))
    }
    const isAsked = message?.id !== undefined && message.method !== undefined
    const said = message?.params?._meta?.['io.modelcontextprotocol/protocolVersion'] ?? agreed
    try {
      const response = await fetch(door, {
        method: 'POST',
        // The token goes to this one address.
        redirect: 'error',
        signal,
        headers: {
          authorization: `Bearer ${login.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(typeof said === 'string' && { 'mcp-protocol-version': said }),
          ...(typeof message?.method === 'string' && { 'mcp-method': message.method }),
          ...(typeof message?.params?.name === 'string' && { 'mcp-name': message.params.name }),
        },
        body: line,
      })
      const text = await response.text()
      if (!isAsked) return
      const type = response.headers.get('content-type') ?? ''
      if (type.startsWith('application/problem+json') || text === '') {
        const { detail = `The service answers ${response.status}.` } = text ? JSON.parse(text) : {}
        return await write(problem(message.id, -32603, detail))
      }
      for (const answer of answersIn(type, text)) {
        const version = (answer as { result?: { protocolVersion?: string } }).result
          ?.protocolVersion
        if (message.method === 'initialize' && version) agreed = version
        await write(answer)
      }
    } catch {
      // What went wrong is not told: it could hold the address with more than its name.
      if (isAsked) await write(problem(message.id, -32603, 'The service cannot be reached.'))
    }
  }

  const under = new Set<Promise<unknown>>()
  for await (const line of createInterface({ input: process.stdin, signal })) {
    if (line.trim() === '') continue
    if (Buffer.byteLength(line) > longestLine) {
      await write(problem(null, -32600, 'The message is longer than 1 MiB.'))
      continue
    }
    const one = pass(line).finally(() => under.delete(one))
    under.add(one)
    // The first answer decides how the others are sent.
    if (agreed === undefined || under.size >= mostAtOnce) await Promise.race(under)
  }
  await Promise.all(under)
}

async function write(message: unknown) {
  if (!process.stdout.write(`${JSON.stringify(message)}\n`)) await once(process.stdout, 'drain')
}

/** The answers in a body: one, or the events of a stream. */
const answersIn = (type: string, text: string): unknown[] =>
  type.startsWith('text/event-stream')
    ? text.split(/\r?\n\r?\n/).flatMap((event) => {
        const data = event
          .split(/\r?\n/)
          .filter((line) => line.startsWith('data:'))
          .map((line) => line.slice('data:'.length).trimStart())
          .join('\n')
        return data === '' ? [] : [JSON.parse(data)]
      })
    : [JSON.parse(text)]

const problem = (id: string | number | null | undefined, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
