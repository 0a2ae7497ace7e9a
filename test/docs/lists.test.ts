import { deepEqual, ok } from 'node:assert/strict'
import { ApiError } from '../../api/http/errors.ts'
import { patience } from '../../api/http/patience.ts'
import '../../activities/outgoing/sessions.ts'
import '../../api/public/metrics.ts'
import { renderDocs } from '../../api/reference/docs/page.ts'
import { describeApi } from '../../api/reference/openapi.ts'
import { routes } from '../../api/routes/index.ts'
import { Environment } from '../../process/config.ts'
import { registry } from '../../process/telemetry/metrics.ts'
import { blockedBys } from '../../rules/campaign.ts'
import { eventKinds } from '../../rules/event-kinds.ts'
import { errorCodes } from '../../rules/problem.ts'
import { documents, textOf } from '../support/documents.ts'
import { codesOf, namesOf, rowsOf, sectionOf } from '../support/tables.ts'

const deployment = {
  publicUrl: 'http://127.0.0.1:8080',
  temporalUiUrl: '',
  temporalNamespace: 'default',
  variant: 'full' as const,
  webhookAllowPrivate: false,
}
const sorted = (names: Iterable<string>) => [...names].sort()

describe('the tables of the docs', () => {
  it('list every variable of the environment with its default, and no others', () => {
    // A default in words is one that the code derives from other variables.
    const told = rowsOf(sectionOf(textOf('docs/deploying.md'), 'Environment')).map(
      ([name = '', value = '']) => `${name} ${/^`[^`]*`$/.test(value) ? value : ''}`,
    )
    const known = Object.entries(Environment.shape).map(([name, shape]) => {
      const value = shape.safeParse(undefined).data
      return `\`${name}\` ${value === undefined ? '' : `\`${value}\``}`
    })
    deepEqual(sorted(told), sorted(known))
  })

  it('say how long a call waits, and is waited for', () => {
    const rows = rowsOf(sectionOf(textOf('docs/deploying.md'), 'Sizes and limits'))
    const seconds = (ms: number) => ms / 1000
    const { bodyMs, firstMebibyteMs, nextMebibyteMs, roomMs, turnMs } = patience
    const told: [what: string, how: string][] = [
      ['bodies of a token', `wait for ${seconds(roomMs)} seconds`],
      [
        'the time for such a body',
        `${seconds(firstMebibyteMs)} seconds for its first MB, ${seconds(nextMebibyteMs)} for each further one, ${seconds(bodyMs)} in all`,
      ],
      ['a body', `sent within ${seconds(bodyMs)} seconds`],
      ['changes of a workspace', `for ${seconds(turnMs)} seconds`],
      ['calls that wait for another', `for ${seconds(turnMs)} seconds`],
    ]
    for (const [what, how] of told)
      ok(rows.find(([first]) => first?.startsWith(what))?.[1]?.includes(how), `${what}: ${how}`)
  })

  it('list every metric with its labels, and no others', () => {
    const told = namesOf(sectionOf(textOf('docs/operating.md'), 'Metrics'))
    const known = registry.getMetricsAsArray().flatMap((metric) => {
      const { name, labelNames = [] } = metric as unknown as { name: string; labelNames?: string[] }
      if (!name.startsWith('postroom_')) return []
      return labelNames.length > 0 ? `${name}{${labelNames.join()}}` : name
    })
    ok(known.length > 20, `${known.length} metrics are known`)
    deepEqual(sorted(told), sorted(known))
  })

  it('say what to do about everything that may hold a campaign, and about nothing else', () => {
    const rows = rowsOf(sectionOf(textOf('docs/operating.md'), 'Why a campaign sends nothing'))
    deepEqual(sorted(rows.flatMap(([name = '']) => codesOf(name))), sorted(blockedBys))
    for (const [name, holds, advice] of rows)
      ok(holds && advice, `${name} has its meaning and advice`)
  })

  it('list every kind of event, and no others', () => {
    const told = namesOf(sectionOf(textOf('docs/events.md'), 'Kinds of events'))
    deepEqual(sorted(told), sorted(eventKinds))
  })

  it('list every error code in the reference, and its status wherever a page names one', () => {
    const page = renderDocs(describeApi(routes, deployment))
    deepEqual(
      errorCodes.filter((code) => !page.includes(`id="error-${code}"`)),
      [],
    )
    const statuses = new Map<string, number>(
      errorCodes.map((code) => [code, new ApiError(code, '').status]),
    )
    const pages = documents().filter((document) => document.startsWith('docs/'))
    const named = pages.flatMap((document) => [
      ...textOf(document).matchAll(/\b([45]\d\d) `([a-z_]+)`/g),
    ])
    ok(named.length > 20, `${named.length} refusals are named`)
    deepEqual(
      named.filter(([, status, code = '']) => statuses.get(code) !== Number(status)).map(String),
      [],
    )
  })
})
