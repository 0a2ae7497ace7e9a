import { deepEqual, equal, ok } from 'node:assert/strict'
import { describeApi } from '../../../api/reference/openapi.ts'
import { asOpenApi30 } from '../../../api/reference/openapi-3.0.ts'
import { adminRoutes } from '../../../api/routes/admin/index.ts'
import { routes } from '../../../api/routes/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: the documents are walked member by member.
type Any = any

const at = { variant: 'full', publicUrl: 'http://127.0.0.1' } as const

for (const [name, table] of [
  ['API', routes],
  ['administration', adminRoutes],
] as const)
  describe(`the OpenAPI 3.0 document of the ${name}`, () => {
    const newer: Any = describeApi(table, at)
    const older: Any = asOpenApi30(describeApi(table, at))

    it('has the same calls by the same names', () => {
      const idsOf = (api: Any) =>
        Object.entries<Any>(api.paths).flatMap(([path, methods]) =>
          Object.entries<Any>(methods).map(([method, { operationId }]) => [
            path,
            method,
            operationId,
          ]),
        )
      equal(older.openapi, '3.0.3')
      deepEqual(idsOf(older), idsOf(newer))
    })

    it('has no word of OpenAPI 3.1', () => {
      const found: string[] = []
      const walk = (value: Any, place: string) => {
        if (typeof value !== 'object' || value === null) return
        const isSchema = !place.endsWith('/properties')
        if (isSchema) {
          if (Array.isArray(value.type) || value.type === 'null') found.push(`${place} type`)
          for (const word of ['const', 'propertyNames', 'contentEncoding', 'webhooks'])
            if (typeof value[word] === 'string') found.push(`${place} ${word}`)
          if (value.nullable && typeof value.type !== 'string') found.push(`${place} nullable`)
          if (value.$ref && Object.keys(value).length > 1) found.push(`${place} $ref`)
        }
        for (const [key, inner] of Object.entries(value))
          if (!/^examples?$/.test(key)) walk(inner, `${place}/${key}`)
      }
      walk(older, '')
      deepEqual(found, [])
    })

    it('lists the schemas that it needs, and no others', () => {
      const text = JSON.stringify(older)
      const needed = new Set(
        [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, one]) => one),
      )
      deepEqual(Object.keys(older.components.schemas).toSorted(), [...needed].toSorted())
      ok(needed.size > 50)
    })
  })
