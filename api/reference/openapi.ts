import { z } from 'zod'
import project from '../../package.json' with { type: 'json' }
import type { AnyScope } from '../../rules/scopes.ts'
import { answersEvents } from '../http/event-stream.ts'
import { answersBytes, answersPage } from '../http/file-answer.ts'
import { prefixOf } from '../http/prefix.ts'
import { listsOf } from '../query.ts'
import { type Deployment, isConditional, isSingleRead, type Route } from '../route.ts'
import { reducedOf } from '../router.ts'
import { Missing } from '../shapes/campaign.ts'
import {
  bytes,
  eventStream,
  type Header,
  headers,
  htmlPage,
  ifMatch,
  ifNoneMatch,
  type Media,
  type Parameter,
  problemSchemas,
  type Response,
} from './components.ts'
import { exampleOf } from './examples.ts'
import { adminGuide, guidesFor } from './guides.ts'
import { type Recorded, recordedOf } from './recorded.ts'
import { refusalsOf } from './refusals.ts'
import { addressOf, type Sample, samplesOf } from './samples.ts'
import { type Components, propertiesOf, requiredOf, schemaOf } from './schemas.ts'
import { tagsOf } from './tags.ts'
import { atOnce } from './turns.ts'
import { describeWebhooks, webhookHeaders, webhookTag } from './webhooks.ts'

// The OpenAPI 3.1 document of a table of routes, that of the API or that of the administration, for the variant that is served.
// Nothing is stated twice: each entry is derived from its route. One file, because an entry is one walk over a route.

export type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, never[]>[]
  'x-scopes': AnyScope[]
  'x-pagination'?: Record<string, string>
  'x-codeSamples': Sample[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response | { $ref: string }>
}
export type OpenApi = ReturnType<typeof describeApi>
/** What entries share: named schemas, and refusals that are the same. */
type Shared = { schemas: Components; responses: Record<string, Response> }

type Described = Pick<Deployment, 'variant' | 'publicUrl'>

export const describeApi = (routes: Route[], deployment: Described) =>
  atOnce(describing(routes, deployment))

/** The same, route by route. */
export function* describing(routes: Route[], deployment: Described) {
  const reduced = deployment.variant === 'reduced'
  const isAdmin = routes.some(({ door }) => door === 'admin')
  const served = reduced ? routes.filter((route) => route.reduced).map(reducedOf) : routes
  const shared: Shared = { schemas: { ...problemSchemas }, responses: {} }
  schemaOf(Missing, 'output', shared.schemas)
  const hasWebhooks = !reduced && !isAdmin
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of served) {
    const path = prefixOf(route) + route.path
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operationOf(route, shared, {
        server: deployment.publicUrl,
        isReduced: reduced,
      }),
    }
    yield
  }
  return {
    openapi: '3.1.1',
    info: {
      title: isAdmin ? 'Postroom administration' : reduced ? 'Postroom (reduced)' : 'Postroom',
      version: project.version,
      summary: isAdmin
        ? 'Workspaces, their members, connections and tokens, for a product that embeds Postroom.'
        : 'Inbox and outreach over HTTP and JSON.',
      description: isAdmin ? adminGuide : guidesFor(reduced, deployment.publicUrl),
      contact: { name: 'The operator of this deployment', url: `${deployment.publicUrl}/docs` },
      license: { name: project.license, identifier: project.license },
    },
    servers: [{ url: deployment.publicUrl }],
    externalDocs: {
      description: 'The reference with its guides, as a page.',
      url: `${deployment.publicUrl}/docs`,
    },
    tags: tagsOf(['identity', ...served.map(tagOf), ...(hasWebhooks ? [webhookTag] : [])]),
    paths,
    ...(hasWebhooks && { webhooks: describeWebhooks(shared.schemas) }),
    components: {
      securitySchemes: {
        [isAdmin ? 'adminToken' : 'token']: {
          type: 'http',
          scheme: 'bearer',
          description: isAdmin
            ? 'A token of the administration (`pra_…`), created by the operator with `npm run -s token -- create --admin`.'
            : 'An access token, created by the operator. Each call lists the scopes it needs.',
        },
      },
      ...shared,
      ...(hasWebhooks && { parameters: webhookHeaders }),
      headers: headersUsed(paths, shared.responses),
    },
  }
}

/** What no answer has would be listed for nothing. */
function headersUsed(paths: Record<string, Record<string, Operation>>, named: Shared['responses']) {
  const all = Object.values(paths).flatMap((methods) => Object.values(methods))
  const answers = [
    ...all.flatMap(({ responses }) => Object.values(responses)),
    ...Object.values(named),
  ]
  const used = new Set(
    answers.flatMap((one) => ('headers' in one ? Object.keys(one.headers ?? {}) : [])),
  )
  return Object.fromEntries(Object.entries(headers).filter(([name]) => used.has(name)))
}

function operationOf(
  route: Route,
  shared: Shared,
  { server, isReduced }: { server: string; isReduced: boolean },
): Operation {
  const call = recordedOf(route, isReduced)
  const parameters = parametersOf(route, shared.schemas, call)
  const body = bodyOf(route, shared, call)
  const answer = {
    description: 'Done.',
    headers: headersOf(answerHeaders(route)),
    content: contentOf(route, shared, call),
  }
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, scopesInWords(route)].filter(Boolean).join(' '),
    tags: [tagOf(route)],
    // Roles of a bearer token, which OpenAPI 3.1 would have in `security`, are refused there by linters and by 3.0.
    security: [{ [route.door === 'admin' ? 'adminToken' : 'token']: [] }],
    'x-scopes': route.scopes,
    'x-codeSamples': samplesOf({
      operationId: route.operationId,
      method: route.method,
      ...addressOf(server + prefixOf(route) + route.path, parameters),
      ...(body.requestBody && { body: body.requestBody.content['application/json']?.example }),
      isList: isPaged(route),
      hasClients: route.door !== 'admin',
    }),
    ...(isPaged(route) && { 'x-pagination': pagination(route) }),
    parameters,
    ...body,
    responses: {
      200: answer,
      ...(answersBytes(route) && partly(answer)),
      ...(isSingleRead(route) && { 304: unchanged('The client already has this answer.') }),
      ...refusalsOf(route, isPaged(route), shared.responses),
    },
  }
}

// A call that adds to something, such as a note, is named after the last word of its path.
const added = new Set(['notes', 'tasks', 'labels', 'messages'])
const subjectOf = (route: Route) => {
  const last = route.path.split('/').at(-1) ?? ''
  return added.has(last) ? last : tagOf(route)
}
/** Its subject: the first word of the path, and within a workspace of the administration the next one. */
const tagOf = ({ path, door }: Route) => {
  const [, first, , next] = path.split('/')
  return (door === 'admin' && next) || first || 'identity'
}

function scopesInWords({ scopes }: Route) {
  return scopes.length === 0 ? 'Needs any valid token.' : `Needs ${listed(scopes)}.`
}

const listed = (scopes: AnyScope[]) =>
  `the ${scopes.length > 1 ? 'scopes' : 'scope'} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`

function parametersOf(route: Route, schemas: Components, call?: Recorded): Parameter[] {
  const shapes = propertiesOf(schemaOf(route.params ?? z.object({}), 'input', schemas))
  const query = schemaOf(route.query ?? z.object({}), 'input', schemas)
  return [
    ...[...route.path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, of = '', name = '']): Parameter => {
      const { description, ...schema } = shapes[name] ?? { type: 'string' }
      const shape = { type: 'object', properties: { [name]: schema } }
      const example = exampleOf(shape, of, {})
      return {
        name,
        in: 'path',
        required: true,
        style: 'simple',
        explode: false,
        description: String(description ?? `The id of the ${singular(of)}.`),
        schema,
        ...(call?.path[name] ? { example: call.path[name] } : pick(example, name)),
      }
    }),
    ...Object.entries(propertiesOf(query)).map(
      ([name, { description, ...schema }]): Parameter => ({
        name,
        in: 'query',
        required: requiredOf(query).includes(name),
        style: 'form',
        // The members of an object are parameters by themselves. A list is a parameter that is given several times, or one with commas.
        explode: schema['type'] === 'object' || listsOf(route).includes(name),
        description: String(description ?? ''),
        schema,
      }),
    ),
    ...(route.method === 'GET' ? [] : [idempotencyKey(route.keyOptional === undefined)]),
    ...(answersBytes(route) ? bytes.parameters : []),
    ...(isSingleRead(route) ? [ifNoneMatch] : []),
    ...(isConditional(route) ? [ifMatch] : []),
    ...(answersEvents(route) ? eventStream.parameters : []),
  ]
}

const singular = (things: string) =>
  things === 'people' ? 'person' : things.replace(/ies$/, 'y').replace(/s$/, '')

const pick = (example: unknown, name: string) => ({
  example: (example as Record<string, unknown>)[name],
})

const isPaged = ({ query }: Route) => query instanceof z.ZodObject && 'cursor' in query.shape

/** How a list is read on: the parameter that takes `next` of the answer before, and the member that has the items. */
const pagination = ({ response }: Route): Record<string, string> => {
  const members = response instanceof z.ZodObject ? Object.entries(response.shape) : []
  const [items = ''] =
    members.find(([, shape]) => shape instanceof z.ZodArray && shape.element) ?? []
  return { cursor: 'cursor', limit: 'limit', next: 'next', items }
}

const idempotencyKey = (always: boolean): Parameter => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: always,
  style: 'simple',
  explode: false,
  description: always
    ? 'Identifies the call, for instance with a UUID: a repeat gets the same answer.'
    : 'Identifies the call, for instance with a UUID. Not needed where nothing is changed.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '6f1d7c1e-8a54-4a0e-9d39-0d4b3a3a5a11',
})

function bodyOf(
  route: Route,
  { schemas }: Shared,
  call?: Recorded,
): Pick<Operation, 'requestBody'> {
  if (route.method === 'GET' || !route.body) return {}
  const schema = schemaOf(route.body, 'input', schemas)
  const example = call?.request ?? route.example ?? exampleOf(schema, subjectOf(route), schemas)
  return {
    requestBody: {
      required: needsBody(route),
      content: { 'application/json': { schema, example } },
    },
  }
}

/** No body is read as an empty one, so that it is needed where that is refused. */
const needsBody = ({ body }: Route): boolean => body?.safeParse({}).success === false

function contentOf(route: Route, { schemas }: Shared, call?: Recorded): Record<string, Media> {
  if (answersBytes(route)) return bytes.content
  if (answersPage(route)) return htmlPage.content
  if (answersEvents(route)) return eventStream.content
  const schema = schemaOf(route.response, 'output', schemas)
  const example = call ? call.answer : exampleOf(schema, tagOf(route), schemas)
  return { 'application/json': { schema, example } }
}

// What a client may get instead of a whole file.
const partly = (answer: Response): Operation['responses'] => ({
  206: {
    ...answer,
    description: 'The requested range.',
    headers: { ...answer.headers, ...headersOf(['Content-Range']) },
  },
  304: unchanged('The client already has this file.'),
})

const unchanged = (description: string): Response => ({
  description,
  headers: headersOf(['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'ETag']),
})

const answerHeaders = (route: Route): Header[] => [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  ...(route.method === 'GET' ? [] : (['Idempotent-Replayed'] as const)),
  ...(answersBytes(route) ? bytes.headers : []),
  ...(isSingleRead(route) ? (['ETag'] as const) : []),
  ...(answersPage(route) ? htmlPage.headers : []),
]

const headersOf = (names: Header[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
