import { isDeepStrictEqual } from 'node:util'

// How a plan shows a change: each member that differs, with its present and its future value. No secrets are compared
// here, so none is shown.

const longest = 160

/** Lines such as `pitch: "Calm." -> "Calmer."`; objects are shown member by member. */
export function differences(name: string, from: unknown, to: unknown): string[] {
  if (isDeepStrictEqual(from, to)) return []
  if (!isPlain(from) || !isPlain(to)) return [`${name}: ${told(from)} -> ${told(to)}`]
  const members = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...members].flatMap((member) =>
    differences(`${name}.${member}`, from[member], to[member]),
  )
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

function told(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  // An address may contain a password.
  const text = JSON.stringify(value).replace(/\/\/[^/@\s"]+@/g, '//***@')
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
