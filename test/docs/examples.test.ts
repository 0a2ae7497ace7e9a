import { deepEqual, ok } from 'node:assert/strict'
import type { z } from 'zod'
import { decodeBase64 } from '../../api/http/base64.ts'
import { membersOf } from '../../api/query.ts'
import type { Route } from '../../api/route.ts'
import { routes } from '../../api/routes/index.ts'
import { base64In } from '../../api/shapes/file.ts'
import { documents, fencesOf, textOf } from '../support/documents.ts'

// Readers copy the examples of the pages: a call must be one that the API accepts, an answer one that it gives.

const fits = (route: Route, path: string) =>
  new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)

/** The route of a call, by the path that was written or by the one of the table. */
function routeOf(method: string, path: string): Route {
  const exact = (route: Route) => route.path === path
  const all = routes.filter((route) => route.method === method)
  const found = all.find(exact) ?? all.find((route) => fits(route, path))
  if (!found) throw new Error(`There is no ${method} ${path}.`)
  return found
}

/** The calls of a block of shell: commands over several lines are one. */
function callsIn(shell: string) {
  return shell
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => /^call .*\$API\//.test(line))
    .map((line) => {
      const body = /-d '([^']*)'/.exec(line)?.[1]
      const method = /-X ([A-Z]+)/.exec(line)?.[1] ?? (body === undefined ? 'GET' : 'POST')
      const [, path = '', query = ''] = /\$API(\/[^\s"?|]*)(?:\?([^\s"|]*))?/.exec(line) ?? []
      return { line, method, path, query, body, keyed: line.includes('Idempotency-Key: ') }
    })
}

/** What a shape finds wrong with a value; undefined when nothing is. */
const wrongOf = (shape: z.ZodType | undefined, value: unknown) =>
  shape?.safeParse(value).error?.message

for (const document of documents()) {
  const fences = fencesOf(textOf(document))
  const calls = fences.flatMap(({ language, text }) => (language === 'sh' ? callsIn(text) : []))
  const answers = fences.filter(({ language }) => language.startsWith('json answer '))

  if (calls.length > 0)
    describe(`the calls in ${document}`, () => {
      for (const { line, method, path, query, body, keyed } of calls)
        it(`${method} ${path}${query && `?${query}`} ${body ?? ''}`, () => {
          const route = routeOf(method, path)
          const given = body === undefined ? undefined : JSON.parse(body)
          // As the thread that parses a call's body does.
          if (route.body) decodeBase64(given, base64In(route.body))
          if (body !== undefined) deepEqual(wrongOf(route.body, given), undefined)
          const parameters = membersOf(route, new URLSearchParams(query))
          deepEqual(wrongOf(route.query, parameters), undefined)
          const needsKey = route.method !== 'GET' && !route.keyOptional?.(given)
          ok(keyed || !needsKey, `it has a key: ${line}`)
        })
    })

  if (answers.length > 0)
    describe(`the answers in ${document}`, () => {
      for (const { language, text } of answers)
        it(language, () => {
          const [, , method = '', path = ''] = language.split(' ')
          const { response } = routeOf(method, path)
          const answer = JSON.parse(text)
          // Parsing drops members that the shape does not know.
          deepEqual(response.parse(answer), answer)
        })
    })
}

describe('the blocks of JSON in the documents', () => {
  it('are JSON', () => {
    const fences = documents().flatMap((document) => fencesOf(textOf(document)))
    const json = fences.filter(({ language }) => language.split(' ')[0] === 'json')
    ok(json.length >= 10, `${json.length} are there`)
    for (const { text } of json) ok(JSON.parse(text))
  })
})
