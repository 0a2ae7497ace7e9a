import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'

// npm run -s mcp: the tools for agents over stdin and stdout, for programs that start their tools. It is a bridge and nothing more: each
// message goes to /mcp with the token, and what comes back is written out. So there is one implementation of the tools.
//
//   POSTROOM_URL          where the API is, by default http://127.0.0.1:8080
//   POSTROOM_TOKEN        the token; or
//   POSTROOM_TOKEN_FILE   a file with it that nobody else can read (0600)
//
// The token is never an argument, which other users of a machine can read, and goes to this one address: redirects are refused.

const longestLine = 1024 * 1024
const mostAtOnce = 8

const fail = (text: string): never => {
  console.error(text)
  process.exit(1)
}

// It runs where the agent runs, without the configuration of the service.
const env = process.env

async function tokenOf(): Promise<string> {
  const { POSTROOM_TOKEN: given, POSTROOM_TOKEN_FILE: path } = env
  if (given) return given.trim()
  if (!path)
    return fail('Set POSTROOM_TOKEN_FILE to a file with a token (0600), or POSTROOM_TOKEN.')
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return fail(`There is no file ${path}.`)
  if ((found.mode & 0o077) !== 0) return fail(`Others can read ${path}: chmod 600 ${path}`)
  return (await readFile(path, 'utf8')).trim()
}

const base = env['POSTROOM_URL'] ?? 'http://127.0.0.1:8080'
if (!URL.canParse(base)) fail('POSTROOM_URL is not a URL.')
const { protocol, hostname, username } = new URL(base)
const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
if (username !== '' || !(protocol === 'https:' || (protocol === 'http:' && isHere)))
  fail('POSTROOM_URL must be https, or http on this machine, without a user.')
const address = new URL('mcp', base.endsWith('/') ? base : `${base}/`)
const token = await tokenOf()
if (!/^prm_\w+$/.test(token)) fail('That is not a token of a member (prm_…).')

type Message = { id?: string | number; method?: string; params?: Params }
type Params = { _meta?: Record<string, unknown>; name?: string }
/** What was agreed on at the beginning; a message of the newer protocol says it by itself. */
let agreed: string | undefined

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

async function pass(line: string) {
  let message: Message
  try {
    message = JSON.parse(line)
  } catch {
    return write(problem(null, -32700, 'Not JSON.'))
  }
  const isAsked = message.id !== undefined && message.method !== undefined
  const said = message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] ?? agreed
  try {
    const response = await fetch(address, {
      method: 'POST',
      redirect: 'error',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(typeof said === 'string' && { 'mcp-protocol-version': said }),
        ...(typeof message.method === 'string' && { 'mcp-method': message.method }),
        ...(typeof message.params?.name === 'string' && { 'mcp-name': message.params.name }),
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
      const version = (answer as { result?: { protocolVersion?: string } }).result?.protocolVersion
      if (message.method === 'initialize' && version) agreed = version
      await write(answer)
    }
  } catch {
    // What went wrong is not told: it could hold the address with more than its name.
    if (isAsked) await write(problem(message.id, -32603, 'The service cannot be reached.'))
  }
}

const problem = (id: string | number | null | undefined, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

const under = new Set<Promise<unknown>>()
for await (const line of createInterface({ input: process.stdin })) {
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
