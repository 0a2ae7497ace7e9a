import { deepEqual, equal, ok } from 'node:assert/strict'
import { describeApi } from '../../../api/reference/openapi.ts'
import { adminRoutes } from '../../../api/routes/admin/index.ts'
import { routes } from '../../../api/routes/index.ts'

// Every name in the documents becomes the name of a method or a type in the clients that are generated from them.

// biome-ignore lint/suspicious/noExplicitAny: the documents are walked member by member.
type Any = any

const at = 'http://127.0.0.1'
const documents: Record<string, Any> = {
  full: describeApi(routes, { variant: 'full', publicUrl: at }),
  reduced: describeApi(routes, { variant: 'reduced', publicUrl: at }),
  administration: describeApi(adminRoutes, { variant: 'full', publicUrl: at }),
}
const operationsOf = (api: Any): Any[] =>
  Object.values(api.paths as object).flatMap((methods) => Object.values(methods as object))

describe('the names in the OpenAPI documents', () => {
  it('are one for each call, in the API and the administration together', () => {
    const ids = [...routes, ...adminRoutes].map(({ operationId }) => operationId)
    deepEqual(
      ids.filter((id, i) => ids.indexOf(id) !== i),
      [],
    )
    for (const id of ids) ok(/^[a-z]+(?:[A-Z][a-z]+)*$/.test(id), id)
  })

  it('do not spell out the path', () => {
    for (const { operationId, path } of [...routes, ...adminRoutes]) {
      ok(operationId.length <= 24, operationId)
      ok(!/^(?:post|patch)|By[A-Z]/.test(operationId), `${path} ${operationId}`)
    }
  })

  for (const [name, api] of Object.entries(documents))
    describe(`of the ${name} document`, () => {
      const schemas: [string, Any][] = Object.entries(api.components.schemas)

      it('differ in more than case', () => {
        const names = schemas.map(([schema]) => schema.toLowerCase())
        equal(new Set(names).size, names.length)
        for (const [schema] of schemas) ok(/^[A-Z][A-Za-z]+$/.test(schema), schema)
      })

      it('are there for every body and every answer', () => {
        for (const { operationId, requestBody, responses } of operationsOf(api))
          for (const content of [requestBody?.content, responses[200].content]) {
            const schema = content?.['application/json']?.schema
            ok(!schema || schema.$ref, operationId)
          }
      })

      it('are there for every object that has members', () => {
        const found: string[] = []
        const walk = (schema: Any, place: string) => {
          if (typeof schema !== 'object' || schema === null) return
          if (Object.keys(schema.properties ?? {}).length > 0) found.push(place)
          for (const [key, inner] of Object.entries(schema))
            if (key !== 'example' && key !== 'examples') walk(inner, `${place}/${key}`)
        }
        for (const [schema, { properties, ...rest }] of schemas) {
          for (const [member, inner] of Object.entries(properties ?? {}))
            walk(inner, `${schema}.${member}`)
          walk(rest, schema)
        }
        walk({ ...api, components: { ...api.components, schemas: {} } }, '')
        deepEqual(found, [])
      })

      it('are all used', () => {
        const whole = JSON.stringify(api)
        for (const [schema] of schemas)
          ok(whole.includes(`"#/components/schemas/${schema}"`), schema)
      })
    })
})
