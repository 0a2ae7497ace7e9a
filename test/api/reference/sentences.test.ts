import { deepEqual } from 'node:assert/strict'
import { startService } from '../../support/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is walked member by member.
type Any = any

/** Every place of the document that a reader may ask about, with what is said of it and the values it may have. */
function* places(api: Any): Generator<{ at: string; said: unknown; values: unknown[] }> {
  for (const [name, schema] of Object.entries(api.components.schemas)) yield* inside(schema, name)
  for (const [name, header] of Object.entries<Any>(api.components.headers))
    yield { at: `header ${name}`, said: header.description, values: valuesOf(header.schema) }
  for (const [path, methods] of Object.entries<Any>(api.paths))
    for (const [method, operation] of Object.entries<Any>(methods)) {
      const call = `${method.toUpperCase()} ${path}`
      for (const { name, description, schema } of operation.parameters) {
        yield { at: `${call} ?${name}`, said: description, values: valuesOf(schema) }
        yield* inside(schema, `${call} ?${name}`)
      }
      for (const { schema } of Object.values<Any>(operation.requestBody?.content ?? {}))
        yield* inside(schema, `${call} body`)
      for (const [status, answer] of Object.entries<Any>(operation.responses)) {
        for (const { schema } of Object.values<Any>(answer.content ?? {}))
          yield* inside(schema, `${call} ${status}`)
        for (const [name, header] of Object.entries<Any>(answer.headers ?? {}))
          if (!header.$ref) yield { at: `${call} ${name}`, said: header.description, values: [] }
      }
    }
}

function* inside(schema: Any, at: string): ReturnType<typeof places> {
  for (const [name, member] of Object.entries<Any>(schema.properties ?? {})) {
    yield { at: `${at}/${name}`, said: member.description, values: valuesOf(member) }
    yield* inside(member, `${at}/${name}`)
  }
  const inner = [schema.items, schema.additionalProperties, schema.anyOf, schema.oneOf].flat()
  for (const one of inner) if (typeof one === 'object' && one !== null) yield* inside(one, at)
}

/** The values a member may have, by itself, as an alternative, or in a list. */
function valuesOf({ enum: values = [], anyOf = [], oneOf = [], items }: Any): unknown[] {
  const inner = [...anyOf, ...oneOf, ...(items ? [items] : [])]
  return [...values, ...inner.flatMap(valuesOf)].filter((value) => value !== null)
}

const imperatives =
  /^(?:Add|Book|Cancel|Check|Count|Create|Delete|Deliver|Edit|Erase|Find|Give|Hand|Import|Lift|List|Mark|Merge|Open|Parse|Put|Read|Remove|Send|Split|Start|Suppress|Tag|Take|Upload|Write)\b/

for (const variant of ['full', 'reduced'] as const)
  describe(`the sentences of the reference of the ${variant} deployment`, () => {
    let api: Any

    before(async () => {
      const service = await startService({ variant })
      api = await (await fetch(`${service.url}/openapi.json`)).json()
      await service.close()
    })

    it('say what every member, parameter and header is', () => {
      const mute = [...places(api)].filter(({ said }) => typeof said !== 'string' || said === '')
      deepEqual([...new Set(mute.map(({ at }) => at))], [])
    })

    it('say what every value means', () => {
      const mute = [...places(api)].flatMap(({ at, said, values }) =>
        values
          .filter((value) => !String(said).includes(`\`${value}\``))
          .map((one) => `${at} ${one}`),
      )
      deepEqual([...new Set(mute)], [])
    })

    it('are whole sentences', () => {
      const parts = [...places(api)].filter(
        ({ said }) => !/^[A-Z`][^\n]*\.(\n\n(- `[^`]+`: [^\n]+\.\n?)+)?$/.test(String(said)),
      )
      deepEqual([...new Set(parts.map(({ at, said }) => `${at}: ${said}`))], [])
    })

    it('describe each call in the imperative', () => {
      const calls = Object.values<Any>(api.paths).flatMap((methods) => Object.values<Any>(methods))
      const others = calls.filter(({ summary }) => !imperatives.test(summary))
      deepEqual(
        others.map(({ summary }) => summary),
        [],
      )
      deepEqual(
        calls.filter(({ summary }) => summary.length > 60 || /[.;:]/.test(summary)),
        [],
      )
    })
  })
