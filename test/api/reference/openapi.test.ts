import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { decodeBase64 } from '../../../api/http/base64.ts'
import { reducedOf } from '../../../api/router.ts'
import { routes } from '../../../api/routes/index.ts'
import { base64In } from '../../../api/shapes/file.ts'
import { startService, type TestService } from '../../support/service.ts'

for (const variant of ['full', 'reduced'] as const)
  describe(`the reference of the ${variant} deployment`, () => {
    let service: TestService
    // biome-ignore lint/suspicious/noExplicitAny: the document is walked member by member.
    let api: any
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    let operations: { path: string; method: string; operation: any }[]

    before(async () => {
      service = await startService({ variant })
      const response = await fetch(`${service.url}/openapi.json`)
      equal(response.status, 200)
      match(response.headers.get('content-type') ?? '', /^application\/json/)
      api = await response.json()
      operations = Object.entries(api.paths).flatMap(([path, methods]) =>
        Object.entries(methods as object).map(([method, operation]) => ({
          path,
          method,
          operation,
        })),
      )
    })
    after(() => service.close())

    it('describes every route that is served, and no others', () => {
      const served = routes.filter(({ reduced }) => variant === 'full' || reduced)
      deepEqual(
        operations.map(({ path, method }) => `${method} ${path}`).sort(),
        served.map(({ path, method }) => `${method.toLowerCase()} /api/v1${path}`).sort(),
      )
    })

    it('names each operation once', () => {
      const ids = operations.map(({ operation }) => operation.operationId)
      equal(new Set(ids).size, ids.length)
    })

    it('requires an Idempotency-Key only for changes', () => {
      for (const { path, method, operation } of operations) {
        const header = operation.parameters.find(
          (p: { name: string }) => p.name === 'Idempotency-Key',
        )
        equal(header !== undefined, method !== 'get', `${method} ${path}`)
      }
    })

    it('lists every path parameter', () => {
      for (const { path, operation } of operations) {
        const inPath = operation.parameters.filter((p: { in: string }) => p.in === 'path')
        deepEqual(
          inPath.map((p: { name: string }) => p.name),
          [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        )
      }
    })

    it('lists the scopes of each operation', () => {
      for (const { path, method, operation } of operations) {
        const route = routes.find(
          (r) => `/api/v1${r.path}` === path && r.method.toLowerCase() === method,
        )
        deepEqual(operation.security, [{ token: [] }])
        deepEqual(operation['x-scopes'], route?.scopes)
      }
    })

    it('has no dangling references', () => {
      for (const [, ref] of JSON.stringify(api).matchAll(/"\$ref":"([^"]+)"/g)) {
        const target = ref
          ?.slice(2)
          .split('/')
          .reduce((inside, step) => inside?.[step], api)
        ok(target, ref)
      }
    })

    it('answers refusals as problem documents', () => {
      for (const { operation } of operations)
        for (const [status, answer] of Object.entries<{ $ref?: string }>(operation.responses)) {
          const said = answer.$ref
            ? api.components.responses[answer.$ref.split('/').at(-1) ?? '']
            : answer
          if (status >= '400') deepEqual(Object.keys(said.content), ['application/problem+json'])
        }
    })

    it('is a page of its own at /docs', async () => {
      const response = await fetch(`${service.url}/docs`)
      equal(response.status, 200)
      match(response.headers.get('content-type') ?? '', /^text\/html/)
      const page = await response.text()
      for (const { operation } of operations) ok(page.includes(`id="${operation.operationId}"`))
      // It fetches only its script: no images, no other styles.
      ok(!/<img|<link|<[^>]+ style=|<style>[^<]*(?:@import|url\()/i.test(page))
      deepEqual(page.match(/<script[^>]*>/g), ['<script src="/docs.js" type="module">'])
      const script = await fetch(`${service.url}/docs.js`)
      match(script.headers.get('content-type') ?? '', /^text\/javascript/)
      for (const [, name] of (await script.text()).matchAll(/from '\.(\/[^']+)'/g))
        equal((await fetch(`${service.url}${name}`)).status, 200, name)
    })

    it('shows requests and answers that match their schemas', () => {
      for (const route of routes.filter(({ reduced }) => variant === 'full' || reduced)) {
        const { body, response } = variant === 'reduced' ? reducedOf(route) : route
        const { requestBody, responses } =
          api.paths[`/api/v1${route.path}`][route.method.toLowerCase()]
        const said = `${route.method} ${route.path}`
        if (route.method !== 'GET' && body) {
          const { example } = requestBody.content['application/json']
          const parsed = structuredClone(example)
          decodeBase64(parsed, base64In(body))
          ok(body.safeParse(parsed).success, `${said}: ${JSON.stringify(example)}`)
        }
        const answer = responses['200'].content['application/json']
        if (answer) ok(response.safeParse(answer.example).success, `${said}: its answer`)
      }
    })

    it('lists why each call may be refused', () => {
      for (const { path, method, operation } of operations) {
        const said = Object.keys(operation.responses)
        const always = ['400', '401', '429', '500', '503']
        const changing = method === 'get' ? [] : ['409', '413', '415', '422']
        const withId = path.includes('{') ? ['404'] : []
        for (const status of [...always, ...changing, ...withId])
          ok(said.includes(status), `${method} ${path} ${status}`)
      }
    })
  })

describe('what the reference leaves to the variant', () => {
  it('includes markets and three goals only in the full deployment', async () => {
    const bodies = await Promise.all(
      (['full', 'reduced'] as const).map(async (variant) => {
        const service = await startService({ variant })
        const api = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
          components: { schemas: Record<string, object> }
        }
        await service.close()
        const { Product, ProductUpdate } = api.components.schemas
        return JSON.stringify([Product, ProductUpdate])
      }),
    )
    deepEqual(
      bodies.map((body) => [body.includes('"markets"'), body.includes('partnership')]),
      [
        [true, true],
        [false, false],
      ],
    )
  })
})
