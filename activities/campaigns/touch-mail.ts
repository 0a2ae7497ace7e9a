import type { ConnectionRow } from '../../db/accounts/connections.ts'
import { findLetterBefore } from '../../db/campaigns/briefs.ts'
import type { Language } from '../../db/campaigns/tables.ts'
import type { TouchRow } from '../../db/campaigns/touches.ts'
import type { Db } from '../../db/database.ts'
import { endOfPage } from '../../rules/end-of-page.ts'
import type { LetterHead } from '../../rules/outgoing.ts'
import { personalName } from '../../rules/personal-name.ts'
import type { Unsigned } from '../outgoing/handover.ts'
import { phrases } from '../ports/model/writer-phrases.ts'

// A letter of a campaign as it goes out: with the line that says how to get no more of them.

type Written = { text: string; html: string | null; language: Language | null }

/** The text, and the HTML if it has one, with the unsubscribe line below. */
export function withWayOut({ text, html, language }: Written, url: string) {
  const line = phrases[language ?? 'en'].unsubscribe
  return {
    text: `${text.trimEnd()}\n\n-- \n${line} ${url}\n`,
    html:
      html === null ? null : within(html, `<p>-- <br>${line} <a href="${url}">${url}</a></p>\n`),
  }
}

/** Puts it at the end of the body, where mail programs show it. */
function within(html: string, line: string) {
  const end = endOfPage(html)
  return end === html.length
    ? `${html.trimEnd()}\n${line}`
    : html.slice(0, end) + line + html.slice(end)
}

/** The letter without its sender and its Message-ID; `text` and `html` have the unsubscribe line. */
const touchLetter = (
  { subject, text, html }: { subject: string | null; text: string; html: string | null },
  { date, to, inReplyTo, references, unsubscribeUrl }: LetterHead,
) => ({
  ...{ toName: to, subject: subject ?? '', text, inReplyTo, references, unsubscribeUrl },
  html: html ?? undefined,
  automated: true,
  date: new Date(date),
})

/** What of its header stands in no column. A follow-up answers the letters that its account has sent before. */
export async function headOf(
  db: Db,
  touch: TouchRow,
  { id, memberName: from }: Pick<ConnectionRow, 'id' | 'memberName'>,
  unsubscribeUrl: string,
  now: Date,
): Promise<LetterHead> {
  const before = touch.place === 1 ? [] : await findLetterBefore(db, touch, id)
  const references = before.map(({ messageId }) => messageId as string)
  return {
    date: now.toISOString(),
    from,
    to: personalName(touch.personName) ?? '',
    cc: [],
    inReplyTo: references.at(-1) ?? null,
    references,
    unsubscribeUrl,
  }
}

/** A letter that is claimed. */
export type ClaimedTouch = TouchRow & { head: LetterHead }

/** The letter as it goes, and as its copy is filed. */
export function letterOf(
  touch: Pick<
    TouchRow,
    'head' | 'subject' | 'text' | 'html' | 'language' | 'toAddress' | 'messageId'
  >,
): Unsigned {
  const { head, text, toAddress: to, messageId } = touch
  if (!head?.unsubscribeUrl || text === null || to === null || messageId === null)
    throw new Error('A letter was claimed that is not written.')
  const written = { ...touch, ...withWayOut({ ...touch, text }, head.unsubscribeUrl) }
  return { ...touchLetter(written, head), to, messageId }
}
