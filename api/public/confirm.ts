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
import { receiveForm } from '../http/unproven-form.ts'
import { escaped } from '../reference/docs/markdown.ts'
import type { Service } from '../serve.ts'
import { browserOf, knowBrowser } from './browser-cookie.ts'
import { openSheet } from './sheet.ts'

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
  const form = ctx.method === 'POST' ? await receiveForm(ctx, formBytes) : undefined
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

const { page: onSheet, styleSource } = openSheet({
  widest: 40,
  own: `:root { --line: #c5ccd6 }
@media (prefers-color-scheme: dark) { :root { --line: #3a4656 } }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 0 1rem }
dt { color: var(--muted) }
dd { margin: 0; min-width: 0 }
.words { white-space: pre-wrap; border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0 0 1.25rem }
button { width: 100% }
button.quiet { margin-top: .5rem }
`,
})

const page = (title: string, body: string, isGood = false) =>
  onSheet({ language: 'en', title, body, isGood })
