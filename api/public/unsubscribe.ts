import type { Context } from 'koa'
import type { Language } from '../../db/campaigns/tables.ts'
import { findTouchByToken } from '../../db/campaigns/touches.ts'
import { unsubscribe } from '../../db/inbox/stop-letters.ts'
import type { Service } from '../serve.ts'

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

// The texts of the unsubscribe page, in the languages in which letters are written.

type Said = Record<
  'title' | 'question' | 'stays' | 'button' | 'done' | 'stopped' | 'unknown' | 'cut',
  string
>

const unsubscribeWords: Record<Language, Said> = {
  en: {
    title: 'Letters',
    question: 'Unsubscribe from these letters?',
    stays:
      'You will receive no more letters from our campaigns. Replies to your own messages will still reach you.',
    button: 'Unsubscribe',
    done: 'Done',
    stopped: 'You will receive no more letters from our campaigns.',
    unknown: 'This link is not valid',
    cut: 'Your mail program may have cut it short.',
  },
  de: {
    title: 'Schreiben',
    question: 'Keine weiteren Schreiben dieser Art?',
    stays:
      'Sie erhalten dann keine weiteren Schreiben unserer Kampagnen. Antworten auf das, was Sie uns schreiben, erreichen Sie weiterhin.',
    button: 'Keine Schreiben mehr',
    done: 'Erledigt',
    stopped: 'Sie erhalten keine weiteren Schreiben unserer Kampagnen.',
    unknown: 'Dieser Link ist ungültig',
    cut: 'Vielleicht hat Ihr Mailprogramm ihn gekürzt.',
  },
  es: {
    title: 'Cartas',
    question: '¿No desea recibir más cartas como esta?',
    stays:
      'No recibirá más cartas de nuestras campañas. Las respuestas a lo que nos escriba le seguirán llegando.',
    button: 'No recibir más cartas',
    done: 'Hecho',
    stopped: 'No recibirá más cartas de nuestras campañas.',
    unknown: 'Este enlace no es válido',
    cut: 'Es posible que su programa de correo lo haya cortado.',
  },
  fr: {
    title: 'Lettres',
    question: 'Ne plus recevoir de lettres de ce genre ?',
    stays:
      'Vous ne recevrez plus de lettres de nos campagnes. Les réponses à ce que vous nous écrivez vous parviendront toujours.',
    button: 'Ne plus recevoir de lettres',
    done: 'C’est fait',
    stopped: 'Vous ne recevrez plus de lettres de nos campagnes.',
    unknown: 'Ce lien n’est pas valide',
    cut: 'Votre messagerie l’a peut-être coupé.',
  },
}
