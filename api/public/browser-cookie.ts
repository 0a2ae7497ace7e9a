import { randomBytes } from 'node:crypto'
import type { Context } from 'koa'

// The cookie by which a page knows that a way to a provider, and the way back, are of one browser. It is for an hour, no script
// reads it, and no other site's form sends it.

const hourSeconds = 60 * 60

/**
 * Browsers take a name with `__Host-` from nobody but this host, over https and for all of its paths. Over http, which PUBLIC_URL
 * has on a developer's own machine, Safari and command-line programs do not take it, nor any cookie that is `Secure`.
 */
const nameOf = (publicUrl: string) =>
  publicUrl.startsWith('https:') ? '__Host-connect' : 'connect'

/** The value that the browser sends; undefined if it sends none of ours. */
export function browserOf(ctx: Context, publicUrl: string): string | undefined {
  const value = ctx.cookies.get(nameOf(publicUrl))
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

/** Gives the browser its value, which stays the same, so that several ways of one browser are open at once. */
export function knowBrowser(ctx: Context, publicUrl: string): string {
  const value = browserOf(ctx, publicUrl) ?? randomBytes(32).toString('base64url')
  const name = nameOf(publicUrl)
  const secure = name.startsWith('__Host-') ? ['Secure'] : []
  const rules = ['Path=/', `Max-Age=${hourSeconds}`, 'HttpOnly', ...secure, 'SameSite=Lax']
  ctx.append('Set-Cookie', [`${name}=${value}`, ...rules].join('; '))
  return value
}
