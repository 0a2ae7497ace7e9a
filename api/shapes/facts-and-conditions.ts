import { z } from 'zod'

// The interface says "key: value pairs" and "label: value pairs" and leaves the names open: both the long form {key,
// value} and a bare pair {price: "49"} are accepted, and the long form is what is read. Additional members are kept.

const Value = z.union([z.string().max(5000), z.number(), z.boolean()])
const Name = z.string().trim().min(1).max(200)
const Side = z.string().max(50).nullable().optional()

/** A condition of a product, as written. Its side is free text: buyer or seller is advised. */
export const ConditionEdit = z
  .looseObject({
    key: Name.optional().describe('What the condition is about, such as `price`.'),
    value: Value.optional().describe('The value: text, a number or a boolean.'),
    side: Side.describe('The side it applies to; `buyer` or `seller` is advised, null means both.'),
  })
  .meta({ id: 'NewCondition' })
  .transform((pair, ctx) => {
    const { side, ...rest } = pair
    const spelled = spell('key', rest, ctx)
    return spelled ? { ...spelled, side: side ?? null } : z.NEVER
  })

/** A fact about a company, as written. */
export const FactEdit = z
  .looseObject({
    label: Name.optional().describe('What the fact is about, such as `founded`.'),
    value: Value.optional().describe('The value: text, a number or a boolean.'),
  })
  .meta({ id: 'NewFact' })
  .transform((pair, ctx) => spell('label', pair, ctx) ?? z.NEVER)

export const Condition = z
  .looseObject({
    key: z.string().describe('What the condition is about, such as `price`.'),
    value: Value.describe('The value: text, a number or a boolean.'),
    side: z
      .string()
      .nullable()
      .describe('The side it applies to, such as `buyer` or `seller`; null means both.'),
  })
  .meta({ id: 'Condition' })
export const Fact = z
  .looseObject({
    label: z.string().describe('What the fact is about, such as `founded`.'),
    value: Value.describe('The value: text, a number or a boolean.'),
  })
  .meta({ id: 'Fact' })

type Pair = { value?: string | number | boolean | undefined; [name: string]: unknown }

function spell<N extends 'key' | 'label'>(name: N, pair: Pair, ctx: z.RefinementCtx) {
  const refuse = (path: string[], message: string) => {
    ctx.addIssue({ code: 'custom', message, path })
    return undefined
  }
  if (pair[name] !== undefined) {
    if (pair.value === undefined) return refuse(['value'], 'is missing')
    return pair as Record<N, string> & { value: string | number | boolean }
  }
  const members = Object.entries(pair).filter(([, value]) => value !== undefined)
  const [only] = members
  if (!only || members.length > 1 || only[0] === 'value')
    return refuse([name], `is missing: write {${name}, value} or one bare pair`)
  const value = Value.safeParse(only[1])
  if (!value.success || !Name.safeParse(only[0]).success)
    return refuse([only[0]], 'must be text, a number or a boolean')
  return { [name]: only[0].trim(), value: value.data } as Record<N, string> & {
    value: string | number | boolean
  }
}
