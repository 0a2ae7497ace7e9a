import { z } from 'zod'
import project from '../package.json' with { type: 'json' }
import { ApiError, type ErrorCode } from './errors.ts'
import { headers, introduction, problem } from './openapi-parts.ts'
import type { Deployment, Route, Scope } from './route.ts'
import { reducedOf } from './router.ts'
import { nullIsAbsent } from './shapes.ts'

// OpenAPI 3.1 of the route table, for the variant that is served. Nothing here is said twice: whatever a route is, its
// entry is derived from.

export type Schema = { [member: string]: unknown }
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}
export type Response = {
  description: string
  headers?: Schema
  content?: Record<string, { schema: Schema }>
}
export type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, Scope[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, Response | { $ref: string }>
}
export type OpenApi = ReturnType<typeof describeApi>

const prefix = '/api/v1'

export function describeApi(
  routes: Route[],
  deployment: Pick<Deployment, 'variant' | 'publicUrl'>,
) {
  const reduced = deployment.variant === 'reduced'
  const served = reduced ? routes.filter((route) => route.reduced).map(reducedOf) : routes
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of served) {
    const path = prefix + route.path
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: reduced ? 'Postroom (reduced)' : 'Postroom',
      version: project.version,
      summary: 'Inbox and outreach over HTTP and JSON.',
      description: introduction,
      license: { name: project.license, identifier: project.license },
    },
    servers: [{ url: deployment.publicUrl }],
    tags: [...new Set(['identity', ...served.map(tagOf).sort()])].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An access token, made by the operator. Each call names the scopes it needs.',
        },
      },
      schemas: { Problem: problem },
      responses: Object.fromEntries(
        Object.entries(commonCodes).map(([status, codes]) => [
          `Refused${status}`,
          refusal(Number(status), codes),
        ]),
      ),
      headers,
    },
  }
}

function operationOf(route: Route): Operation {
  const changes = route.method !== 'GET'
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    description: scopesInWords(route),
    tags: [tagOf(route)],
    security: [{ token: route.scopes }],
    parameters: parametersOf(route),
    ...(route.method !== 'GET' &&
      route.body && {
        requestBody: {
          required: required(schemaOf(route.body, 'input')).length > 0,
          content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
        },
      }),
    responses: {
      200: {
        description: 'Done.',
        headers: headersOf('X-Request-Id', ...(changes ? (['Idempotent-Replayed'] as const) : [])),
        content: contentOf(route),
      },
      ...refusalsOf(route),
    },
  }
}

/** `GET /people/{id}/tags` → getPeopleByIdTags. */
function operationIdOf({ method, path }: Route) {
  const words = (path || '/identity').split(/[/-]/).filter(Boolean)
  const named = words.map((word) =>
    word.startsWith('{') ? `By${capital(word.slice(1, -1))}` : capital(word),
  )
  return method.toLowerCase() + named.join('')
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const tagOf = ({ path }: Route) => path.split('/')[1] || 'identity'

function scopesInWords({ scopes, scopesFor }: Route) {
  if (scopesFor) return `Needs ${listed(scopes)}; what the body asks for may need others.`
  return scopes.length === 0 ? 'Needs any live token.' : `Needs ${listed(scopes)}.`
}

const listed = (scopes: Scope[]) =>
  `the ${scopes.length > 1 ? 'scopes' : 'scope'} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`

function parametersOf(route: Route): Parameter[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const shapes = properties(schemaOf(route.params ?? z.object({}), 'input'))
  const query = schemaOf(route.query ?? z.object({}), 'input')
  return [
    ...inPath.map(
      (name): Parameter => ({
        name,
        in: 'path',
        required: true,
        schema: shapes[name] ?? { type: 'string' },
      }),
    ),
    ...Object.entries(properties(query)).map(
      ([name, schema]): Parameter => ({
        name,
        in: 'query',
        required: required(query).includes(name),
        ...paging[name],
        schema: paging[name]?.schema ?? schema,
      }),
    ),
    ...(route.method === 'GET' ? [] : [idempotencyKey(route.keyOptional === undefined)]),
  ]
}

// Query parameters arrive as text; these two are better described by what they mean.
const paging: Record<string, { schema: Schema; description: string }> = {
  limit: {
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    description: 'How many at most.',
  },
  cursor: {
    schema: { type: 'string' },
    description: 'The `next` of the previous answer, unchanged.',
  },
}

const idempotencyKey = (always: boolean): Parameter => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: always,
  description: always
    ? 'Names the call, for instance by a UUID: a repeat gets the same answer.'
    : 'Names the call, for instance by a UUID. Not needed where nothing is changed.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
})

function contentOf({ response }: Route): Record<string, { schema: Schema }> {
  if (response instanceof z.ZodCustom || response instanceof z.ZodFile)
    return { 'application/octet-stream': { schema: {} } }
  return { 'application/json': { schema: schemaOf(response, 'output') } }
}

const headersOf = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

// What nearly every call may be refused for is described once.
const commonCodes: Record<number, ErrorCode[]> = {
  401: ['token_missing', 'invalid_token', 'token_expired'],
  403: ['insufficient_scope'],
  429: ['rate_limited'],
  500: ['internal'],
  503: ['unavailable'],
}

function refusalsOf(route: Route): Operation['responses'] {
  const byStatus = Map.groupBy(codesOf(route), (code) => new ApiError(code, '').status)
  const entries = [...byStatus].map(([status, codes]) => [
    String(status),
    commonCodes[status]?.join() === codes.join()
      ? { $ref: `#/components/responses/Refused${status}` }
      : refusal(status, codes),
  ])
  return Object.fromEntries(entries)
}

const refusal = (status: number, codes: ErrorCode[]): Response => ({
  description: codes.map((code) => `\`${code}\``).join(', '),
  headers: headersOf('X-Request-Id', ...(retried.has(status) ? (['Retry-After'] as const) : [])),
  content: {
    'application/problem+json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          { type: 'object', properties: { code: { enum: codes } } },
        ],
      },
    },
  },
})

const retried = new Set([409, 429, 503, 504])

function codesOf(route: Route): ErrorCode[] {
  const changes = route.method !== 'GET'
  const paged = 'cursor' in properties(schemaOf(route.query ?? z.object({}), 'input'))
  const codes: (ErrorCode | false)[] = [
    'invalid_query',
    paged && 'invalid_cursor',
    ...(changes ? keyCodes : []),
    ...(commonCodes[401] ?? []),
    route.scopes.length > 0 && 'insufficient_scope',
    route.path.includes('{') && 'not_found',
    changes && 'validation_failed',
    ...(route.errors ?? []),
    ...(['rate_limited', 'internal', 'unavailable'] as const),
  ]
  return [...new Set(codes.filter((code) => code !== false))]
}

const keyCodes: ErrorCode[] = [
  ...(['malformed_json', 'idempotency_key_missing', 'idempotency_key_invalid'] as const),
  ...(['body_too_large', 'unsupported_media_type'] as const),
  ...(['idempotency_in_progress', 'idempotency_key_reused'] as const),
]

/** JSON Schema 2020-12 of a shape, without what a zod shape cannot say in it. */
function schemaOf(shape: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (nullIsAbsent.has(zodSchema)) dropNull(jsonSchema)
      // Answers gain members with time: a client that refuses what it does not know would break.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties
    },
  })
  return schema
}

function dropNull(schema: Schema) {
  if (Array.isArray(schema['type'])) {
    const types = schema['type'].filter((type) => type !== 'null')
    schema['type'] = types.length === 1 ? types[0] : types
  }
  const variants = (schema['anyOf'] as Schema[] | undefined)?.filter(({ type }) => type !== 'null')
  if (!variants) return
  const [only, ...others] = variants
  if (only && others.length === 0) {
    delete schema['anyOf']
    Object.assign(schema, only)
  } else schema['anyOf'] = variants
}

const properties = (schema: Schema) => (schema['properties'] ?? {}) as Record<string, Schema>
const required = (schema: Schema) => (schema['required'] ?? []) as string[]
