import type { OpenApi } from '../openapi.ts'
import { propertiesOf, type Schema } from '../schemas.ts'
import { members, sample } from './calls.ts'
import type { Group } from './group.ts'
import { guideText } from './guide-files.ts'
import { escaped, inline } from './markdown.ts'

// The kinds of events, as webhooks get them: what `data` holds, and a whole body.

type Webhook = { requestBody: { content: Record<string, { schema: Schema; example: unknown }> } }

// The guide says of each kind what happened, in the rows of its tables.
const meaningsOfKinds = () =>
  new Map(
    [...guideText('events').matchAll(/^\| `([\w.]+)` \| (.*) \|$/gm)].map(
      ([, kind = '', said = '']) => [kind, said],
    ),
  )

/** What `data` of every event holds is told once. */
const ofEach = new Set(['id', 'workspace', 'resource'])

export function* eventGroup(api: OpenApi): Generator<void, Group[]> {
  const all = Object.entries((api.webhooks ?? {}) as Record<string, { post: Webhook }>)
  if (all.length === 0) return []
  const meanings = meaningsOfKinds()
  const parts = []
  for (const [kind, { post }] of all) {
    parts.push(eventItem(kind, post, meanings.get(kind)))
    yield
  }
  return [
    {
      id: 'event-kinds',
      name: 'Kinds of events',
      links: all.map(([kind]) => ({ href: `event-${kind}`, name: kind })),
      content: `<p>The body that a webhook gets for each kind of event. <code>data</code> always holds the <code>id</code> of the event, the
<code>workspace</code> and the <code>resource</code> that it happened to, and nobody's words. <code>GET /events</code> shows the same events.
How requests are signed and repeated, and what each kind means, the guide
<a href="#guide-events">Events and webhooks</a> says.</p>
${parts.join('\n')}`,
    },
  ]
}

function eventItem(kind: string, { requestBody }: Webhook, meaning: string | undefined) {
  const { schema, example } = requestBody.content['application/json'] as {
    schema: Schema
    example: unknown
  }
  const data = propertiesOf(propertiesOf(schema)['data'] ?? {})
  const own = Object.fromEntries(Object.entries(data).filter(([name]) => !ofEach.has(name)))
  return `<article id="event-${escaped(kind)}"><h3><a href="#event-${escaped(kind)}">${escaped(kind)}</a></h3>
<div class="columns"><div class="told">${meaning === undefined ? '' : `<p>${inline(meaning)}</p>`}${
    Object.keys(own).length > 0
      ? `<h4>Data</h4>${members({ type: 'object', properties: own, required: Object.keys(own) }, 'answer')}`
      : '<p>Nothing beside what every event has.</p>'
  }</div>
<div class="shown"><figure class="example"><figcaption>Its body</figcaption>${sample(JSON.stringify(example, null, 2))}</figure></div></div></article>`
}
