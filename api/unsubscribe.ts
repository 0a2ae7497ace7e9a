import type { Context } from 'koa'
import { isUnsubscribeToken, unsubscribe } from '../db/unsubscribes.ts'
import type { Service } from './serve.ts'

/**
 * The page a letter's unsubscribe link leads to. GET only shows it: programs that scan mail follow links. POST acts, from the
 * page's button or in one click from a mail program (RFC 8058), without token or key.
 */
export async function unsubscribePage(ctx: Context, { db, clock }: Service) {
  const token = /^\/u\/([\w-]{8,200})\/?$/.exec(ctx.path)?.[1] ?? ''
  ctx.set('Cache-Control', 'no-store')
  ctx.set(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
  ctx.set('Referrer-Policy', 'no-referrer')
  if (ctx.method === 'POST') {
    ctx.req.resume()
    const known = await unsubscribe(db, token, clock.now())
    return show(ctx, known ? done : unknown, known ? 200 : 404)
  }
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    ctx.set('Allow', 'GET, POST')
    return show(ctx, unknown, 405)
  }
  const known = await isUnsubscribeToken(db, token)
  show(ctx, known ? question : unknown, known ? 200 : 404)
}

function show(ctx: Context, content: string, status: number) {
  ctx.status = status
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = page(content)
}

const question = `<h1>No more of these letters?</h1>
<p>You will get no further letters of our campaigns. Answers to what you write us still reach you.</p>
<form method="post"><button>Stop the letters</button></form>`
const done = '<h1>Done</h1><p>You will get no further letters of our campaigns.</p>'
const unknown =
  '<h1>This link is not known</h1><p>It may have been cut short by your mail program.</p>'

const page = (content: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>Letters</title>
<style>
:root { color-scheme: light dark }
body { font: 17px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1.5rem }
button { font: inherit; padding: .6rem 1.2rem; border-radius: .4rem; border: 1px solid; cursor: pointer }
</style></head><body><main>${content}</main></body></html>
`
