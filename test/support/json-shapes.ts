import { z } from 'zod'

/** What a shape takes, as JSON Schema in which every named schema stands where it is referred to. */
export function jsonShapeOf(shape: z.ZodType): Record<string, unknown> {
  const { $defs = {}, ...whole } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' })
  const inlined = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(inlined)
    if (typeof one !== 'object' || one === null) return one
    if ('$ref' in one) {
      const { $ref, ...beside } = one
      const name = String($ref).replace('#/$defs/', '')
      return { ...(inlined($defs[name]) as object), ...beside }
    }
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, inlined(part)]))
  }
  return inlined(whole) as Record<string, unknown>
}
