import { hash } from 'node:crypto'
import type { Context } from 'koa'
import { ApiError } from './errors.ts'

// Conditional calls (RFC 9110, 13): what a client has read, it names by its tag.

/** The tag of a body. Whoever may not see the same of a resource gets another one. */
export const tagOf = (body: string | Buffer): string =>
  `"${hash('sha256', body, 'base64url').slice(0, 27)}"`

// A compressed form has a tag of its own (RFC 9110, 8.8.3.3), made of that of the content.
export const taggedAs = (tag: string, coding: string): string => tag.replace(/"$/, `-${coding}"`)
const plainTag = (tag: string) => tag.replace(/-(?:gzip|zstd)"$/, '"')

const tagsIn = (header: string) => header.match(/(?:W\/)?"[^"]*"/g) ?? []

/** Whether the client has what it asks for, by its If-None-Match. */
export const isKnown = (ctx: Context, tag: string): boolean => {
  const header = ctx.get('if-none-match')
  if (header.trim() === '*') return true
  return tagsIn(header).some((one) => plainTag(one.replace(/^W\//, '')) === tag)
}

/** What a change demands of its resource: one of these tags, or, with `any`, that it is there. Undefined if it demands nothing. */
export function tagsDemanded(ctx: Context): string[] | 'any' | undefined {
  const header = ctx.headers['if-match']?.trim()
  if (header === undefined) return undefined
  if (header === '*') return 'any'
  return tagsIn(header).map(plainTag)
}

export const changedMeanwhile = (hasTag = true) =>
  new ApiError(
    'changed_meanwhile',
    hasTag
      ? 'It has changed since you read it: read it again.'
      : 'It has no ETag, and cannot be changed under If-Match.',
  )
