import { equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Context } from 'mocha'
import { reap } from '../../dev/stack/processes.ts'
import { givenRoom, type Room } from './samples.ts'
import { sharedService } from './service.ts'
import { pythonTool } from './venv.ts'

// The running service against its own OpenAPI document, by Schemathesis (https://schemathesis.readthedocs.io): requests made
// of the schemas, right and wrong ones, and every answer checked for its status, type, headers and shape. All checks are on.
//
// What it cannot generate is given (hooks.py): ids of existing things, and a fresh key for each call.
// What it cannot know is allowed: that a body of the right shape is refused with 422, as one is that names an id nobody has
// or two members that exclude each other. What remains to others: sequences of calls beyond the links it finds (test/api),
// repeats (table-repeats), cursors (table-lists), and bytes above the limits (table).

const seed = '20261123'
const contract = join(import.meta.dirname, '..', 'contract')

/** Starts Schemathesis and a room for it to look at, for the tests of a suite: each call of what is returned runs one process. */
export function withSchemathesis(): (options: string[]) => Promise<Found> {
  let schemathesis: Awaited<ReturnType<typeof start>>
  before(async function () {
    this.timeout(600_000)
    schemathesis = await start(this)
  })
  after(() => schemathesis?.stop())
  return (options) => schemathesis.examine(options)
}

/** It has found no failure, in enough requests, of which few were answered late. */
export function isWell({ requests, failures, late }: Found, leastRequests: number) {
  equal(failures.join('\n'), '')
  ok(requests >= leastRequests, `${requests} requests`)
  ok(late.length < requests / 100 && late.every((code) => code === 'still_running'), `${late}`)
}

async function start(context: Context) {
  const command = await pythonTool('schemathesis', 'schemathesis==4.32.5', context)
  const service = await sharedService(context)
  const room = await givenRoom(service)
  // The document is made when it is first asked for, and Schemathesis waits ten seconds for it, on however busy a machine.
  ok((await fetch(`${service.url}/openapi.json`)).ok)
  const { people } = (await room.call('GET', '/people')).body
  const folder = await mkdtemp(join(tmpdir(), 'postroom-contract-'))
  const config = join(folder, 'schemathesis.toml')
  await writeFile(config, configuration(room))
  const env = {
    ...process.env,
    POSTROOM_MEMBERS: JSON.stringify(membersOf({ ...room, second: people.at(-1).id })),
    POSTROOM_PATHS: JSON.stringify({ ...room.ids, operations: room.key, imported: room.imported }),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  let runs = 0

  async function examine(options: string[]): Promise<Found> {
    const report = join(process.env['SCHEMATHESIS_REPORTS'] ?? folder, `${runs++}.ndjson`)
    const { code, text } = await run([
      ...['--config-file', config, 'run', `${service.url}/openapi.json`, '--url', service.url],
      ...['--seed', seed, '--report', 'ndjson', '--report-ndjson-path', report, ...options],
      // It would wait for the end of a stream.
      ...['--exclude-path', '/api/v1/events/stream'],
    ])
    const found = await read(report)
    if (code !== 0 && found.failures.length === 0) found.failures.push(text.slice(-4000))
    return found
  }

  async function run(args: string[]) {
    // It leaves a folder where it runs.
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    reap(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        text += chunk
      })
    const code = await new Promise((resolve) => child.once('close', resolve))
    return { code, text }
  }

  // A run that was given up may still write.
  const removed = { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }
  return { examine, stop: () => rm(folder, removed) }
}

/** What several processes have found together. */
export const together = (all: Found[]): Found => ({
  requests: all.reduce((sum, { requests }) => sum + requests, 0),
  failures: all.flatMap(({ failures }) => failures),
  answered: new Set(all.flatMap(({ answered }) => [...answered])),
  asked: new Set(all.flatMap(({ asked }) => [...asked])),
  late: all.flatMap(({ late }) => late),
})

export type Found = {
  requests: number
  failures: string[]
  /** The operations that were called, such as `GET /people`, and those of them that have answered with success. */
  asked: Set<string>
  answered: Set<string>
  /** The codes of the answers with status 504. */
  late: string[]
}

/** Ids for the members of bodies, by their names. */
const membersOf = ({
  person,
  second,
  member,
  agent,
  product,
  connections,
  ids,
}: Room & { second: string }) => ({
  person,
  member,
  owner: member,
  agent,
  label: product,
  connection: connections[0],
  via: connections[0],
  sender: connections[0],
  buyer: person,
  segment: ids['segments'],
  seller: second,
  people: person,
})

const accepted = '"2xx", 304, 401, 403, 404, 409, 416, 422, 504'

const configuration = ({ token }: Room) =>
  [
    'continue-on-failure = true',
    'request-timeout = 60.0',
    // Texts hold no U+0000, which its patterns let through (odd-inputs).
    'generation.allow-x00 = false',
    `hooks = ${JSON.stringify(join(contract, 'hooks.py'))}`,
    `headers = { Authorization = ${JSON.stringify(`Bearer ${token}`)} }`,
    '[checks]',
    // 504 is still_running, which a busy machine may answer; it is looked at below.
    'not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 504]',
    // 416: a range of the right form may begin beyond the end of its file.
    `positive_data_acceptance.expected-statuses = [${accepted}]`,
    // One wrong item of many refuses itself alone.
    '[[operations]]',
    'include-path-regex = "/bulk$"',
    'checks.negative_data_rejection.enabled = false',
    // Tests of webhooks are few a minute.
    '[[operations]]',
    'include-path-regex = "/webhooks/[^/]+/test$"',
    `checks.positive_data_acceptance.expected-statuses = [${accepted}, 429]`,
    // A text may be no address, no kind of event or no word, and two parameters may exclude each other.
    '[[operations]]',
    'include-method = "GET"',
    'include-path-regex = "^/api/v1/(people|events|search|conversations|conversations/counts)$"',
    `checks.positive_data_acceptance.expected-statuses = [${accepted}, 400]`,
  ].join('\n')

type Answer = { status_code: number; content?: { $base64: string } | null }
type Scenario = {
  recorder: {
    label: string
    checks?: Record<string, { name: string; status: string; failure_info?: unknown }[]>
    interactions?: Record<string, { request: unknown; response: Answer | null }>
  }
}

async function read(report: string): Promise<Found> {
  const found: Found = {
    requests: 0,
    failures: [],
    asked: new Set(),
    answered: new Set(),
    late: [],
  }
  for await (const line of createInterface(createReadStream(report))) {
    const [[kind, event] = []] = Object.entries(JSON.parse(line))
    if (kind === 'NonFatalError') found.failures.push(JSON.stringify(event).slice(0, 1500))
    if (kind !== 'ScenarioFinished') continue
    const { label, checks, interactions } = (event as Scenario).recorder
    for (const { response } of Object.values(interactions ?? {})) {
      found.requests++
      found.asked.add(label.replace('/api/v1', ''))
      if (response?.status_code === 200) found.answered.add(label.replace('/api/v1', ''))
      if (response?.status_code === 504) found.late.push(codeOf(response))
    }
    for (const [id, done] of Object.entries(checks ?? {}))
      for (const { name, status, failure_info } of done)
        if (status === 'failure')
          found.failures.push(
            `${label}: ${name}: ${JSON.stringify(failure_info).slice(0, 800)} ${JSON.stringify(interactions?.[id]?.request).slice(0, 600)}`,
          )
  }
  return found
}

const codeOf = ({ content }: Answer): string =>
  JSON.parse(Buffer.from(content?.$base64 ?? '', 'base64').toString() || '{}').code
