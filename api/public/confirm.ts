import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { lockConversation } from '../../db/conversations/moves.ts'
import {
  confirmPrepared,
  dropPrepared,
  findByTicket,
  lockShown,
  type Shown,
  type Standing,
  seenOf,
  standingOf,
} from '../../db/conversations/prepared.ts'
import { plainLine } from '../../rules/text.ts'
import { openUnproven } from '../http/unproven.ts'
import { escaped } from '../reference/docs/markdown.ts'
import type { Service } from '../serve.ts'
import { browserOf, knowBrowser } from './browser-cookie.ts'

// The page on which a person sees exactly what an agent has prepared, and agrees or not. The link is the proof that its reader was
// asked; to open it changes nothing, so a program that looks at links does no harm. The button needs the cookie that the page has set,
// and agrees to what was shown: what has changed meanwhile is shown again. It works without scripts.

export async function confirmPage(ctx: Context, service: Service) {
  const { db, clock, deployment } = service
  ctx.set({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': `default-src 'none'; style-src ${styleSource}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  })
  if (!['GET', 'HEAD', 'POST'].includes(ctx.method)) {
    ctx.set('Allow', 'GET, HEAD, POST')
    return say(ctx, 405, endings.unknown)
  }
  const form = ctx.method === 'POST' ? await formOf(ctx) : undefined
  const ticket = /^\/confirm\/([\w-]{43})\/?$/.exec(ctx.path)?.[1]
  const shown = ticket === undefined ? undefined : await findByTicket(db, ticket)
  if (!shown) return say(ctx, 404, endings.unknown)
  ctx.state['log'] = { ...ctx.state['log'], workspace: shown.workspace }
  const isReader = browserOf(ctx, deployment.publicUrl) !== undefined
  knowBrowser(ctx, deployment.publicUrl)
  const state = await standingOf(db, shown, shown.version, clock.now())
  if (!form || state !== 'waiting') return answer(ctx, state, shown)
  if (!isReader) return ask(ctx, 403, shown, 'Allow cookies for this page, and press again.')
  if (form.get('seen') !== seenOf(shown))
    return ask(ctx, 409, shown, 'It was changed meanwhile. This is what would be sent now.')

  const isAgreed = form.get('answer') === 'send'
  const became = await db.transaction().execute(async (trx) => {
    await lockConversation(trx, shown.workspace, shown.conversation)
    const row = await lockShown(trx, shown)
    if (!row || seenOf(row) !== seenOf(shown)) return 'replaced'
    const now = await standingOf(trx, row, row.version, clock.now())
    if (now !== 'waiting') return now
    if (isAgreed) await confirmPrepared(trx, row, 'page')
    else await dropPrepared(trx, row)
    return isAgreed ? 'confirmed' : 'dropped'
  })
  if (became === 'dropped') return say(ctx, 200, endings.dropped)
  return answer(ctx, became, shown)
}

const formBytes = 4 * 1024

async function formOf(ctx: Context): Promise<URLSearchParams> {
  const pieces: Buffer[] = []
  const intake = openUnproven(ctx)
  try {
    await intake.receive(ctx, formBytes, (piece) => void pieces.push(piece))
  } finally {
    intake.close()
  }
  return new URLSearchParams(Buffer.concat(pieces).toString('utf8'))
}

function answer(ctx: Context, state: Standing, shown: Shown) {
  if (state === 'waiting') return ask(ctx, 200, shown)
  if (state === 'confirmed') return say(ctx, 200, endings.confirmed)
  return say(ctx, state === 'sent' ? 200 : 410, endings[state])
}

type Ending = { title: string; text: string; isGood?: boolean }
const endings: Record<'unknown' | 'dropped' | Exclude<Standing, 'waiting'>, Ending> = {
  unknown: {
    title: 'This link is not valid',
    text: 'It has been used, it is older than 15 minutes, or it was cut short. Nothing is sent by it.',
  },
  confirmed: {
    title: 'Confirmed',
    text: 'The program that has asked you sends it now. You may close this page.',
    isGood: true,
  },
  sent: { title: 'It was sent', text: 'You may close this page.', isGood: true },
  dropped: { title: 'It is not sent', text: 'What was prepared is gone. You may close this page.' },
  replaced: {
    title: 'It was changed',
    text: 'Nothing was sent. Ask for the link to what is to be sent now.',
  },
  expired: {
    title: 'This link has expired',
    text: 'It is older than 15 minutes. Nothing was sent: it has to be prepared again.',
  },
  overtaken: {
    title: 'Somebody has written meanwhile',
    text: 'There is a new message in the conversation, so this one was not sent. Read it first; then it can be prepared again.',
  },
}

function say(ctx: Context, status: number, { title, text, isGood = false }: Ending) {
  ctx.status = status
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = page(title, `<p>${escaped(text)}</p>`, isGood)
}

function ask(ctx: Context, status: number, shown: Shown, wrong?: string) {
  const { toAddress, account, subject, text, sendAt, workspaceName, clientName, memberName } = shown
  const when = sendAt
    ? new Intl.DateTimeFormat('en-GB', {
        dateStyle: 'full',
        timeStyle: 'short',
        timeZone: shown.timezone,
      }).format(sendAt)
    : 'at once'
  const rows = [
    ['To', toAddress],
    ['From', account],
    ['Subject', subject],
    ['When', sendAt ? `${when} (${shown.timezone})` : when],
  ]
  const body = `${wrong ? `<p class="wrong" role="alert">${escaped(wrong)}</p>` : ''}
<p>${escaped(`The program “${plainLine(clientName)}” of ${plainLine(memberName)} (${plainLine(workspaceName)}) has prepared this message. It goes only if you agree.`)}</p>
<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(plainLine(value ?? ''))}</dd>`).join('')}</dl>
<div class="words">${escaped(text)}</div>
<form method="post"><input type="hidden" name="seen" value="${seenOf(shown)}">
<button name="answer" value="send">Send exactly this</button>
<button name="answer" value="drop" class="quiet">Do not send it</button></form>`
  ctx.status = status
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = page('Send this message?', body)
}

const style = `
:root { color-scheme: light dark; --back: #f4f5f7; --card: #fff; --text: #1c2430; --muted: #566072; --line: #c5ccd6;
  --accent: #1a56db; --on-accent: #fff; --wrong: #b42318; --good: #15803d; --focus: #b45309 }
@media (prefers-color-scheme: dark) { :root { --back: #11151b; --card: #1a202a; --text: #e8ecf2; --muted: #aab5c5; --line: #3a4656;
  --accent: #8ab4ff; --on-accent: #0b1524; --wrong: #ffa198; --good: #6fd08c; --focus: #fbbf24 } }
* { box-sizing: border-box }
body { font: 17px/1.5 system-ui, sans-serif; margin: 0; background: var(--back); color: var(--text) }
main { max-width: 40rem; margin: 6vh auto; padding: 2rem; background: var(--card); border-radius: .75rem; overflow-wrap: anywhere }
@media (max-width: 42rem) { body { background: var(--card) } main { margin: 0 auto; padding: 1.25rem; border-radius: 0 } }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem }
p { margin: 0 0 1rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 0 1rem }
dt { color: var(--muted) }
dd { margin: 0; min-width: 0 }
.words { white-space: pre-wrap; border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0 0 1.25rem }
button { font: inherit; font-weight: 600; width: 100%; padding: .7rem 1.4rem; border-radius: .5rem; border: 1px solid var(--accent);
  cursor: pointer; background: var(--accent); color: var(--on-accent) }
button.quiet { background: none; border-color: transparent; color: var(--accent); font-weight: 400; text-decoration: underline; margin-top: .5rem }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
.wrong { border-left: 4px solid var(--wrong); padding-left: 1rem }
.good::before { content: "✓ "; color: var(--good) }
`
/** The one style that the page has; a browser takes no other, and nothing else at all. */
const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

const page = (title: string, body: string, isGood = false) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${escaped(title)}</title>
<style>${style}</style></head><body><main><h1${isGood ? ' class="good"' : ''}>${escaped(title)}</h1>
${body}</main></body></html>
`
