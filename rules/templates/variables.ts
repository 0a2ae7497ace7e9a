import type { OwnFields } from '../own-fields.ts'
import { personalName } from '../personal-name.ts'
import { plainText } from '../text.ts'
import type { Moment } from './dates.ts'

// The variables of a template: what they are called, and their values for one letter. A value of blanks alone is none, and
// neither is one that a program has left behind, such as a placeholder of another mail merge.

/** The variables by their roots; those of `person.fields` are named by the workspace. */
export const roots: Record<string, readonly string[]> = {
  person: ['name', 'firstName', 'lastName', 'email', 'company', 'city', 'jobTitle', 'fields'],
  agent: ['name'],
  member: ['name', 'jobTitle', 'signature'],
  company: ['name', 'pitch'],
  product: ['name', 'description'],
  campaign: ['goal'],
}

/** All of them, for messages and the reference. */
export const variableNames: string[] = Object.entries(roots).flatMap(([root, members]) =>
  members.map((member) => `${root}.${member}${member === 'fields' ? '.*' : ''}`),
)

/** What Liquid itself says about a text or a list. */
const ofValues = ['size', 'first', 'last']

/** Whether a path leads to a variable of letters. */
export function isVariable(path: unknown[]): boolean {
  const [root, member, ...rest] = path
  if (typeof root !== 'string' || typeof member !== 'string') return false
  if (!Object.hasOwn(roots, root) || !roots[root]?.includes(member)) return false
  const further = root === 'person' && member === 'fields' ? rest.slice(1) : rest
  return further.every((part) => ofValues.includes(String(part)))
}

/** What a letter is made of. */
export type Values = {
  /** Null for an example while nobody is in the segment. */
  person: {
    name: string
    email: string
    company: string
    city: string
    jobTitle: string
    fields: OwnFields
  } | null
  agent: { name: string } | null
  member: { name: string; jobTitle: string; signature: string } | null
  company: { name: string; pitch: string } | null
  product: { name: string; description: string } | null
  goal: string
  moment: Moment
}

/** The values as a template reads them. */
export function scopeOf({ person, agent, member, company, product, goal }: Values) {
  const name = personalName(person?.name ?? '')
  const words = name?.split(' ').filter((word, at) => at > 0 || !titles.test(word)) ?? []
  return {
    person: {
      name: given(name ?? person?.name),
      firstName: given(words[0]),
      lastName: given(words.slice(1).join(' ')),
      email: given(person?.email),
      company: given(person?.company),
      city: given(person?.city),
      jobTitle: given(person?.jobTitle),
      fields: Object.fromEntries(
        Object.entries(person?.fields ?? {})
          .map(([name, value]) => [name, given(value)] as const)
          .filter(([, value]) => value !== null),
      ),
    },
    agent: { name: given(agent?.name) },
    member: {
      name: given(member?.name),
      jobTitle: given(member?.jobTitle),
      signature: given(member?.signature),
    },
    company: { name: given(company?.name), pitch: given(company?.pitch) },
    product: { name: given(product?.name), description: given(product?.description) },
    campaign: { goal: given(goal) },
  }
}

const titles = /^(?:dr|prof|mr|mrs|ms|herr|frau|ing|sr|sra|mme|m)\.?$/iu
/** What merges and exports of other programs leave where they had no value. */
const leftover = /\{\{|\{%|^(?:undefined|null|nan|\[object object\])$/i

function given(value: string | number | boolean | null | undefined) {
  if (typeof value !== 'string') return value ?? null
  const text = plainText(value).trim()
  return text === '' || leftover.test(text) ? null : text
}
