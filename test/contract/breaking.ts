// What in a document would break a client that was made from the document of the last release. This is a comparer of our own, because
// npm has none whose judgement fits: oasdiff is a program in Go, and its name on npm is a placeholder; @pb33f/openapi-changes runs a
// script at its installation, which no package may here; openapi-diff and api-smart-diff do not know `x-extensible-enum`, by which
// answers gain values without breaking anybody.

// biome-ignore lint/suspicious/noExplicitAny: the documents are walked member by member.
type Any = any

const values = (schema: Any): unknown[] | undefined => schema?.enum ?? schema?.['x-extensible-enum']

/** What a client relies on: names, types and what is required, without sentences and examples. */
export function bones(document: Any): Any {
  const bare = (value: Any): Any => {
    if (Array.isArray(value)) return value.map(bare)
    if (typeof value !== 'object' || value === null) return value
    const isMap = Object.values(value).some((inner) => typeof inner === 'object')
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name, inner]) => !spoken.has(name) || (isMap && typeof inner === 'object'))
        .filter(([name]) => name !== 'examples' && name !== 'example')
        .map(([name, inner]) => [name, bare(inner)]),
    )
  }
  const paths = Object.fromEntries(
    Object.entries<Any>(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries<Any>(methods).map(
          ([method, { operationId, parameters, requestBody, responses }]) => [
            method,
            bare({ operationId, parameters, requestBody, answer: responses[200]?.content }),
          ],
        ),
      ),
    ]),
  )
  return { paths, schemas: bare(document.components.schemas) }
}
const spoken = new Set(['description', 'summary', 'title', 'default'])

/** Each change that breaks a client, as a sentence; `before` and `after` are bones. */
export function breaking(before: Any, after: Any): string[] {
  const found: string[] = []
  const asked = reachable(before, 'requestBody')
  const answered = reachable(before, 'answer')

  for (const [path, methods] of Object.entries<Any>(before.paths))
    for (const [method, old] of Object.entries<Any>(methods)) {
      const now = after.paths[path]?.[method]
      const call = `${method.toUpperCase()} ${path}`
      if (!now) {
        found.push(`${call} is gone`)
        continue
      }
      if (now.operationId !== old.operationId)
        found.push(`${call} is ${now.operationId}, and was ${old.operationId}`)
      parameters(call, old.parameters, now.parameters)
      if (now.requestBody?.required && !old.requestBody?.required)
        found.push(`${call} needs a body`)
      for (const part of ['requestBody', 'answer']) {
        const [was, is] = [old, now].map((one) => schemaIn(one, part))
        if (was && !is) found.push(`${call} has no ${part}`)
        else if (was) compare(`${call} ${part}`, was, is, part === 'requestBody', part === 'answer')
      }
    }
  for (const [name, old] of Object.entries<Any>(before.schemas)) {
    const now = after.schemas[name]
    if (now) compare(name, old, now, asked.has(name), answered.has(name))
    else found.push(`the schema ${name} is gone`)
  }
  return found

  function parameters(call: string, old: Any[], now: Any[]) {
    for (const one of old) {
      const still = now.find(({ name, in: place }) => name === one.name && place === one.in)
      if (!still) found.push(`${call} has no parameter ${one.name}`)
      else {
        if (still.required && !one.required) found.push(`${call} needs ${one.name}`)
        compare(`${call} ${one.name}`, one.schema, still.schema, true, false)
      }
    }
    for (const { name, required } of now)
      if (required && !old.some((one) => one.name === name)) found.push(`${call} needs ${name}`)
  }

  function compare(place: string, old: Any, now: Any, isAsked: boolean, isAnswered: boolean) {
    if (old.$ref !== now.$ref) {
      found.push(`${place} is ${now.$ref ?? now.type}, and was ${old.$ref ?? old.type}`)
      return
    }
    // Whoever never says by null that a member is left out notices nothing where they might.
    if (isAsked && !isAnswered && !old.anyOf && now['x-null'] && now.anyOf) {
      compare(place, old, now.anyOf[0], isAsked, isAnswered)
      return
    }
    const types = (schema: Any) => JSON.stringify([schema.type ?? null].flat().toSorted())
    if (types(old) !== types(now)) found.push(`${place} is ${types(now)}, and was ${types(old)}`)
    for (const value of values(old) ?? [])
      if (values(now) && !values(now)?.includes(value))
        found.push(`${place} knows no ${JSON.stringify(value)} any more`)
    for (const [name, member] of Object.entries<Any>(old.properties ?? {})) {
      const still = now.properties?.[name]
      if (still) compare(`${place}.${name}`, member, still, isAsked, isAnswered)
      else found.push(`${place}.${name} is gone`)
    }
    for (const name of (now.required ?? []) as string[])
      if (isAsked && !old.required?.includes(name)) found.push(`${place}.${name} is required`)
    for (const name of (old.required ?? []) as string[])
      if (isAnswered && !now.required?.includes(name) && now.properties?.[name])
        found.push(`${place}.${name} may be missing`)
    for (const part of ['items', 'additionalProperties'])
      if (typeof old[part] === 'object' && typeof now[part] === 'object')
        compare(`${place}[]`, old[part], now[part], isAsked, isAnswered)
    for (const part of ['anyOf', 'oneOf'])
      if (old[part] && JSON.stringify(old[part]) !== JSON.stringify(now[part]))
        found.push(`${place} is another ${part}`)
  }
}

const schemaIn = (operation: Any, part: string) => {
  const content = part === 'requestBody' ? operation.requestBody?.content : operation.answer
  return content?.['application/json']?.schema
}

/** The schemas that all bodies, or all answers, consist of. */
function reachable({ paths, schemas }: Any, part: string): Set<string> {
  const names = new Set<string>()
  const follow = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(/schemas\/(\w+)"/g))
      if (!names.has(name)) {
        names.add(name)
        follow(schemas[name])
      }
  }
  for (const methods of Object.values<Any>(paths))
    for (const operation of Object.values<Any>(methods)) follow(schemaIn(operation, part))
  return names
}
