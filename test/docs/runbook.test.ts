import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { parse } from 'yaml'
import '../../activities/outgoing/sessions.ts'
import '../../api/public/metrics.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { registry } from '../../process/telemetry/metrics.ts'
import { fencesOf, root, textOf } from '../support/documents.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'

// The alerts stand on metrics that there are, and the runbook says what to do about each.

type Alert = {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}
const alerts: Alert[] = parse(textOf('deploy/alerts.yml')).groups[0].rules
const played: { name: string; alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] =
  parse(textOf('deploy/alerts.test.yml')).tests
const sections = new Map(
  textOf('docs/runbook.md')
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), text.slice(text.indexOf('\n') + 1)]),
)

/** What Prometheus itself and Temporal's runtime measure. */
const ofOthers: Record<string, string[]> = {
  up: ['job', 'instance'],
  temporal_workflow_task_execution_failed: ['workflow_type'],
  temporal_worker_task_slots_available: ['task_queue', 'worker_type'],
}
const known = new Map(Object.entries(ofOthers))
for (const metric of registry.getMetricsAsArray()) {
  const { name, labelNames = [] } = metric as unknown as { name: string; labelNames?: string[] }
  known.set(name, labelNames)
  known.set(`${name}_bucket`, [...labelNames, 'le'])
}

describe('alerts and the runbook', () => {
  it('every alert stands on metrics and labels that there are', () => {
    ok(alerts.length > 20)
    for (const { alert, expr } of alerts) {
      const named = [...expr.matchAll(/\b(up|(?:postroom|temporal)_\w+)\b(?:\{([^}]*)\})?/g)]
      ok(named.length > 0, alert)
      for (const [, name = '', conditions = ''] of named) {
        const labels = known.get(name)
        ok(labels, `${alert}: ${name} is no metric`)
        for (const [, label = ''] of conditions.matchAll(/(\w+)\s*[=!]/g))
          ok(labels.includes(label), `${alert}: ${name} has no label ${label}`)
      }
    }
  })

  it('every alert has a section, which begins with a command', () => {
    for (const { alert, labels, annotations } of alerts) {
      match(labels.severity, /^(page|ticket)$/)
      equal(annotations.runbook, `docs/runbook.md#${alert.toLowerCase()}`)
      ok(sections.has(alert), `docs/runbook.md has no section ${alert}`)
    }
    for (const [name, text] of sections) {
      match(text, /^\s*```sh\n/, `${name}: the command comes first`)
      ok(text.split('```')[2]?.trim(), `${name}: and then the reason`)
    }
    const told = [...sections.keys()].filter((name) => name.startsWith('Postroom'))
    deepEqual(told.sort(), alerts.map(({ alert }) => alert).sort())
  })

  it('every alert is played at its cause, and all of them at rest', () => {
    const [rest, ...causes] = played
    const names = alerts.map(({ alert }) => alert).sort()
    deepEqual(rest?.alert_rule_test.map(({ alertname }) => alertname).sort(), names)
    deepEqual(
      causes
        .map(({ alert_rule_test: [one] }) => one?.exp_alerts.length === 1 && one.alertname)
        .sort(),
      names,
    )
  })

  describe('its commands', function () {
    this.timeout(120_000)
    let database: TestDatabase
    let db: Db
    before(async () => {
      database = await createTestDatabase()
      db = openDatabase(database.ownerUrl, 1)
    })
    after(async () => {
      await db.destroy()
      await database.drop()
    })

    const lines = fencesOf(textOf('docs/runbook.md')).flatMap(({ text }) =>
      text.split('\n').filter((line) => line !== ''),
    )

    it('are scripts that there are, and reads of pages and metrics that there are', () => {
      const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
      for (const line of lines) {
        const script = /^npm run (?:-s )?([\w:]+)/.exec(line)?.[1]
        if (script !== undefined) ok(scripts[script], line)
        else
          match(
            line,
            /^(psql "\$DATABASE_URL" -c |curl -sS "\$(POSTROOM|WORKER)\/(livez|readyz|metrics)")/,
          )
        const asked = /grep (?:-E )?'\^([^']*)'(?: \| grep -v ' 0\$')?$/.exec(line)?.[1]
        const names = asked?.includes('(') ? expanded(asked) : asked === undefined ? [] : [asked]
        for (const name of names)
          ok(
            [...known.keys()].some((one) => one.startsWith(name)),
            `${line}: nothing begins with ${name}`,
          )
      }
    })

    it('are statements that the database takes', async () => {
      const statements = lines.flatMap(
        (line) => /^psql "\$DATABASE_URL" -c (["'])(.*)\1$/.exec(line)?.[2] ?? [],
      )
      ok(statements.length > 3)
      for (const statement of statements) await sql.raw(`explain ${statement}`).execute(db)
    })
  })

  const promtool = (...args: string[]) =>
    execFileSync('promtool', args, { cwd: join(root, 'deploy'), encoding: 'utf8', stdio: 'pipe' })
  const hasPromtool = (() => {
    try {
      return promtool('--version') !== ''
    } catch {
      return false
    }
  })()
  // Without it, on machines that have no Prometheus, what stands above is checked alone.
  if (hasPromtool)
    it('promtool takes the rules, and each alert fires at its cause and is silent at rest', () => {
      match(promtool('check', 'rules', 'alerts.yml'), /SUCCESS/)
      match(promtool('test', 'rules', 'alerts.test.yml'), /SUCCESS/)
    })
})

/** The names that `a_(b|c)` begins. */
function expanded(pattern: string): string[] {
  const [, head = '', inner = '', tail = ''] = /^(\w*)\(([^)]*)\)(.*)$/.exec(pattern) ?? []
  return inner.split('|').map((one) => `${head}${one}${tail}`)
}
