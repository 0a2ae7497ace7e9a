import type { Context } from 'koa'
import type { Language } from '../../db/campaigns/tables.ts'
import { findTouchByToken } from '../../db/campaigns/touches.ts'
import { unsubscribe } from '../../db/inbox/stop-letters.ts'
import type { Service } from '../serve.ts'
import { type Said, unsubscribeWords } from './unsubscribe-words.ts'

/**
 * The page behind a letter's unsubscribe link, in the language of the letter. GET only shows it, because programs
 * that scan mail follow links. POST unsubscribes, from the page's button or in one click from a mail program (RFC
 * 8058), without a token or key.
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
    const letter = await unsubscribe(db, token, clock.now())
    return letter ? show(ctx, letter, done, 200) : show(ctx, reader(ctx), unknown, 404)
  }
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    ctx.set('Allow', 'GET, HEAD, POST')
    return show(ctx, reader(ctx), unknown, 405)
  }
  const letter = await findTouchByToken(db, token)
  return letter ? show(ctx, letter, question, 200) : show(ctx, reader(ctx), unknown, 404)
}

/** For an unknown letter, the language that the browser asks for. */
const reader = (ctx: Context) => ({
  language: (ctx.acceptsLanguages(Object.keys(unsubscribeWords)) || 'en') as Language,
})

function show(
  ctx: Context,
  { language }: { language: Language | null },
  content: (say: Said) => string,
  status: number,
) {
  ctx.status = status
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = page(language ?? 'en', content)
}

const question = (say: Said) => `<h1>${say.question}</h1>
<p>${say.stays}</p>
<form method="post"><button>${say.button}</button></form>`
const done = (say: Said) => `<h1>${say.done}</h1><p>${say.stopped}</p>`
const unknown = (say: Said) => `<h1>${say.unknown}</h1><p>${say.cut}</p>`

const page = (language: Language, content: (say: Said) => string) => `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${unsubscribeWords[language].title}</title>
<style>
:root { color-scheme: light dark }
body { font: 17px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1.5rem }
button { font: inherit; padding: .6rem 1.2rem; border-radius: .4rem; border: 1px solid; cursor: pointer }
</style></head><body><main>${content(unsubscribeWords[language])}</main></body></html>
`
