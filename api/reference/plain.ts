// The schemas of the document as client generators understand them. What they are made of here may be said in several ways; of
// these, each is put in the one from which ten generators make types that compile (test/contract/generators).

export type Schema = { [member: string]: unknown }

/**
 * Puts a schema, with all that is in it, in plain words. An answer is `open`: values may be added to it over time, so that they are
 * told as `x-extensible-enum`, and a client that meets an unknown one goes on. What a caller gives has an `enum`, as others are refused.
 */
export function inPlainWords(schema: Schema, isOpen: boolean): void {
  for (const inner of Object.values(schema))
    for (const one of Array.isArray(inner) ? inner : [inner])
      if (typeof one === 'object' && one !== null) inPlainWords(one as Schema, isOpen)
  withoutAliases(schema)
  // Java and others have no type that is only true.
  if (typeof schema['const'] === 'boolean') delete schema['const']
  if (typeof schema['const'] === 'string') schema['type'] = 'string'
  typesApart(schema)
  variantsPlain(schema)
  if (isOpen) valuesOpen(schema)
}

/** Other names of a member are accepted, but who reads that they are will ask which one is right. */
function withoutAliases(schema: Schema) {
  const members = schema['properties'] as Record<string, Schema> | undefined
  if (typeof members !== 'object' || members === null) return
  for (const [name, member] of Object.entries(members))
    if ('aliasOf' in member) delete members[name]
}

/** `type: [string, number, null]` → a variant for each type; with one type and null it stays, as all know that one. */
function typesApart(schema: Schema) {
  const types = schema['type']
  if (!Array.isArray(types) || types.filter((type) => type !== 'null').length < 2) return
  delete schema['type']
  schema['oneOf'] = types.map((type) => ({ type }))
}

const isNull = ({ type }: Schema) => type === 'null'

/** Variants exclude each other, none stands within another, and texts of several forms are one text. */
function variantsPlain(schema: Schema) {
  const given = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (!given) return
  const all = given.flatMap((one) =>
    isOnlyVariants(one) ? ((one['anyOf'] ?? one['oneOf']) as Schema[]) : [one],
  )
  const some = all.filter((one) => !isNull(one))
  const isNullable = some.length < all.length
  delete schema['anyOf']
  delete schema['oneOf']
  // Anything at all includes null.
  if (some.some((one) => Object.keys(one).length === 0)) return
  if (some.length > 1 && some.every(({ type }) => type === 'string'))
    Object.assign(schema, { type: isNullable ? ['string', 'null'] : 'string' })
  else if (some.length === 1) schema['anyOf'] = isNullable ? [some[0], { type: 'null' }] : some
  else schema['oneOf'] = isNullable ? [...some, { type: 'null' }] : some
}

const isOnlyVariants = (schema: Schema) =>
  Object.keys(schema).length === 1 && ('anyOf' in schema || 'oneOf' in schema)

const open = 'x-extensible-enum'

function valuesOpen(schema: Schema) {
  // The kind of an event decides which event it is, and stays.
  if ('enum' in schema && schema['type'] !== 'boolean') {
    schema[open] = schema['enum']
    delete schema['enum']
  }
  const listed = valuesIn(schema['description'])
  if (listed.length > 0 && isText(schema)) schema[open] ??= listed
  const [only, none] = (schema['anyOf'] ?? []) as Schema[]
  if (only && none && isNull(none) && open in only && only['type'] === 'string') {
    delete schema['anyOf']
    Object.assign(schema, { type: ['string', 'null'], [open]: only[open] })
  }
}

const isText = ({ type }: Schema) =>
  type === 'string' || (Array.isArray(type) && type.join() === 'string,null')

/** The values that a description lists (`withValues` in shapes.ts). */
const valuesIn = (description: unknown): string[] =>
  typeof description === 'string'
    ? [...description.matchAll(/^- `([^`]+)`: /gm)].map(([, value = '']) => value)
    : []
