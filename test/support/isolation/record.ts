import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { asyncLocalStorage as activities } from '@temporalio/activity'
import { loadModule } from 'libpg-query'
import pg from 'pg'
import { noteStatement } from '../plans/check.ts'
import type { Catalogue } from './catalogue.ts'
import { exceptions } from './exceptions.ts'
import { examine, type Finding } from './statement.ts'

// Every statement that the service's pools carry out during a run of the tests, held against one rule: a tenant's table is
// narrowed by its workspace, or by a key that was found within it. Keys of a call must have been found by the same call; those
// of an activity come from the input of its workflow, which the accepting transaction had found (and what a call hands to a
// workflow is looked at here). Statements of the tests themselves are let be.

/** One call or one activity, and what it has found so far. */
type Unit = { name: string; isCall: boolean; known: Set<string>; ofToken?: Set<string> }
type Carried = { sql: string; params: unknown[]; unit: Unit }

const calls = new AsyncLocalStorage<Unit>()
// Calls that come at once have their token looked up by one of them, and what they ask for gathered (process/limits/gather.ts): what that
// finds, each of them has found.
const isForAll = /^(?:with "caller" as \()?select .* from "tokens"|= any\(\$\d+::text\[\]\)$/s
const ofTokens = new Map<string, Set<string>>()
const examined = new Map<string, Finding[]>()
const refused = new Map<string, string>()

/** What was refused since the last call: each statement once, with the reason. */
export function takeRefusals(): string[] {
  const reasons = [...refused.values()]
  refused.clear()
  return reasons
}

/** Begins to look at the statements of pools of this process. */
export async function watch(catalogue: Catalogue) {
  await loadModule()
  subscribe('http.server.request.start', (message) => {
    const { method, url, headers } = (message as { request: IncomingMessage }).request
    const { authorization = '' } = headers
    const ofToken = ofTokens.get(authorization) ?? new Set()
    ofTokens.set(authorization, ofToken)
    calls.enterWith({ name: `${method} ${url}`, isCall: true, known: new Set(), ofToken })
  })
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const watched = function (this: pg.Client, ...args: unknown[]) {
    const unit = isOfService(this) ? currentUnit() : undefined
    const outcome = query.apply(this, args)
    const { text: sql, values } = asQuery(args)
    if (unit && sql !== undefined) noteStatement(sql, unit.name)
    if (unit && sql !== undefined && outcome instanceof Promise) {
      const carried = { sql, params: values ?? [], unit }
      const findings = judge(carried, catalogue)
      // Before whoever awaits it goes on.
      outcome.then(
        (result: pg.QueryResult) => learn(carried, findings, result),
        () => {},
      )
    }
    return outcome
  }
  pg.Client.prototype.query = watched as typeof pg.Client.prototype.query
}

const asQuery = ([first, values]: unknown[]): { text?: string; values?: unknown[] } =>
  typeof first === 'string' ? { text: first, values: values as unknown[] } : (first as object)

/** Looks at one statement; for tests of the rule itself. */
export function refusalOf(
  sql: string,
  catalogue: Catalogue,
  { isCall = true, params = [] as unknown[], known = [] as string[] } = {},
): string | undefined {
  return reasonOf({ sql, params, unit: { name: '', isCall, known: new Set(known) } }, catalogue)
}

const isOfService = (client: pg.Client) =>
  (client as unknown as { connectionParameters: { application_name?: string } })
    .connectionParameters.application_name === 'postroom'

export function currentUnit(): Unit | undefined {
  const activity = activities.getStore()
  if (activity) return { name: activity.info.activityType, isCall: false, known: new Set() }
  return calls.getStore() ?? background()
}

// Outside of calls and activities are the tests, and loops of ours such as the relay's.
function background(): Unit | undefined {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 60
  const stack = new Error().stack ?? ''
  Error.stackTraceLimit = stackTraceLimit
  // Other checks stand between a statement and whoever sends it.
  const lines = stack
    .split('\n')
    .filter((line) => !/\/test\/support\/(isolation|second-connection|statements)/.test(line))
  const ours = lines.find((line) => /\/(?:activities|api)\/[\w/-]+\.ts/.test(line))
  if (!ours || lines.some((line) => line.includes('/test/'))) return undefined
  return {
    name: /(?:activities|api)\/[\w/-]+\.ts/.exec(ours)?.[0] ?? '',
    isCall: false,
    known: new Set(),
  }
}

function judge(carried: Carried, catalogue: Catalogue): Finding[] {
  const reason = reasonOf(carried, catalogue)
  if (reason && !refused.has(carried.sql)) refused.set(carried.sql, reason)
  return examined.get(carried.sql) ?? []
}

function reasonOf({ sql, params, unit }: Carried, catalogue: Catalogue): string | undefined {
  let findings = examined.get(sql)
  if (!findings) {
    findings = examine(sql, catalogue)
    examined.set(sql, findings)
  }
  const bad = findings.filter((finding) => {
    if (finding.by === 'none') return true
    const keys = [finding, ...(finding.others ?? [])]
    return unit.isCall && keys.every((key) => strangers(key, params, unit).length > 0)
  })
  const left = bad.filter(
    ({ table, columns, by }) =>
      !exceptions.some(
        (one) =>
          one.table === table &&
          (one.column ? by !== 'none' && columns.includes(one.column) : by === 'none') &&
          one.sql.test(sql),
      ),
  )
  const handed = unit.isCall ? handedOn(sql, params, findings, unit) : []
  if (left.length === 0 && handed.length === 0) return undefined
  const said = left.map(({ table, by, columns }) =>
    by === 'none'
      ? `${table} is not narrowed`
      : `${table}.${columns.join('/')} takes a key that this call has not found`,
  )
  if (handed.length > 0) said.push(`a workflow is given ${handed}, which this call has not found`)
  return `${said.join('; ')}\n  in ${unit.name}\n  ${sql.replace(/\s+/g, ' ')}`
}

/** The keys of a finding that nothing found before. */
function strangers({ params: numbers }: Finding, params: unknown[], unit: Unit): string[] {
  return numbers
    .flatMap((number) => textsOf(params[number - 1]))
    .filter((key) => !isKnown(key, unit))
}

// The id of an operation begins with its workspace.
const isKnown = (key: string, { known, ofToken }: Unit) =>
  [key, key.slice(0, key.indexOf(':'))].some((part) => known.has(part) || ofToken?.has(part))

const isId = (text: string) => /^[a-z]{3}_[\w-]+$/.test(text)

/** Ids in the input of a workflow that a call starts or signals, unless the same statement makes them. */
function handedOn(sql: string, params: unknown[], findings: Finding[], unit: Unit): string[] {
  // As a statement of its own, or as a part of one.
  const commands = /insert into "?outbox"?.*?(?= as \(|$)/s.exec(sql)?.[0] ?? ''
  const made = findings
    .flatMap((finding) => finding.made ?? [])
    .flatMap((number) => textsOf(params[number - 1]))
  return [...commands.matchAll(/\$(\d+)/g)]
    .map(([, number]) => params[Number(number) - 1])
    .filter((value) => typeof value === 'string' && /^[[{]/.test(value))
    .flatMap((value) => textsOf(JSON.parse(value as string)))
    .filter((text) => isId(text) && !isKnown(text, unit) && !made.includes(text))
}

/** Every key a statement has found is known from then on: what came back, and what it was asked by. */
function learn({ sql, params, unit }: Carried, findings: Finding[], result: pg.QueryResult) {
  if (!unit.isCall || findings.length === 0 || !result?.rowCount) return
  for (const text of textsOf(result.rows)) {
    unit.known.add(text)
    if (isForAll.test(sql.trim())) unit.ofToken?.add(text)
  }
  for (const { params: by, made = [] } of findings)
    for (const number of [...by, ...made])
      for (const text of textsOf(params[number - 1])) unit.known.add(text)
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.length <= 300 ? [value] : []
  if (typeof value !== 'object' || !value || value instanceof Date || value instanceof Uint8Array)
    return []
  return Object.values(value).flatMap(textsOf)
}
