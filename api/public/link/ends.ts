import { findLinkAgain, madeFor } from '../../../db/accounts/connect-links.ts'
import type { Linked } from '../../../db/inbox/linked.ts'
import { ledBack } from '../../../rules/return-to.ts'
import { messagePage } from './page.ts'
import { redirect, show } from './shown.ts'
import { type At, sayIn } from './visit.ts'

// How the way of a link ends, for the owner of the mailbox and for the application to which they are led back.

export async function finish(at: At, account: string, made: Linked, browser: string) {
  const { service, link } = at
  const say = sayIn(at)
  if (made.outcome === 'connected') {
    if (!made.lasts)
      service.log.warn(
        { connection: made.connection },
        'The provider gives no refresh token, so this consent ends with its access token.',
      )
    return connected(at, made.connection, account)
  }
  // A second click has found what the first one has made.
  const now = await findLinkAgain(service.db, link)
  const before = now && madeFor(now, browser)
  if (before !== undefined) return connected(at, before, account)
  if (made.outcome === 'ended') return ended(at)
  if (made.outcome === 'full')
    return show(
      at,
      409,
      messagePage(at.frame.language, {
        title: say.fullTitle,
        paragraphs: [say.full(link.workspaceName)],
      }),
    )
  service.log.info(
    { workspace: link.workspace },
    'A mailbox that is there already was not added again.',
  )
  show(
    at,
    409,
    messagePage(at.frame.language, {
      title: say.knownTitle,
      paragraphs: [say.known(link.workspaceName)],
    }),
  )
}

function connected(at: At, connection: string, account: string) {
  const { ctx, link, frame } = at
  if (link.returnTo)
    return redirect(ctx, ledBack(link.returnTo, { state: 'connected', connection }))
  const say = sayIn(at)
  const paragraphs = [say.done(account)]
  show(at, 200, messagePage(frame.language, { title: say.doneTitle, paragraphs, isGood: true }))
}

export function cancelled(at: At) {
  const { ctx, link, frame } = at
  if (link.returnTo) return redirect(ctx, ledBack(link.returnTo, { state: 'cancelled' }))
  const say = sayIn(at)
  show(
    at,
    200,
    messagePage(frame.language, { title: say.cancelledTitle, paragraphs: [say.cancelled] }),
  )
}

/** The link has ended; for a second click of the browser that has ended it, as it should. */
export function ended(at: At, reader?: { browser: string; account: string }) {
  const { link, frame } = at
  const made = reader && madeFor(link, reader.browser)
  if (made !== undefined) return connected(at, made, reader?.account ?? '')
  const say = sayIn(at)
  show(at, 410, messagePage(frame.language, { title: say.goneTitle, paragraphs: [say.gone] }))
}
