import type { Selectable } from 'kysely'
import { findConnection } from '../../db/accounts/connections.ts'
import { findBrief } from '../../db/campaigns/briefs.ts'
import type { CampaignRow } from '../../db/campaigns/campaigns.ts'
import { showLetter } from '../../db/campaigns/made-letters.ts'
import type { LetterTests } from '../../db/campaigns/tables.ts'
import { claimTest, findTest, settleTest, testIdOf } from '../../db/campaigns/templates.ts'
import { findZone } from '../../db/workspace/workspaces.ts'
import { messageIdOf } from '../../rules/outgoing.ts'
import { beating } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'
import { openAccount } from '../outgoing/handover.ts'
import { composeLetter } from '../ports/mail/compose.ts'
import { codeOfRefusal, MailTrouble } from '../ports/mail/smtp.ts'
import { makeLetter } from './make-letters.ts'

type Test = Selectable<LetterTests>

/** What became of a test, for its caller. */
export type Tested = { to: string; state: Test['state']; code: string | null }

/**
 * Sends a letter of a campaign to a member, to look at. It is no letter of the campaign: it counts in no budget, joins no
 * conversation, and has no link that would act on the person. It is claimed before it is handed over, so that it goes once; an
 * attempt that finds it claimed cannot know what became of it.
 */
export async function sendTest(deps: Deps, campaign: CampaignRow, test: Test): Promise<Tested> {
  const { db } = deps
  if (test.state === 'queued') await beating(() => attempt(deps, campaign, test))
  else if (test.state === 'sending') await settleTest(db, test.operation, 'unconfirmed')
  const { toAddress: to, state, code } = (await findTest(db, test.operation)) ?? test
  return { to, state, code }
}

async function attempt(deps: Deps, campaign: CampaignRow, test: Test): Promise<void> {
  const { db, letters = db, clock } = deps
  const { operation } = test
  const failed = (code: string) => settleTest(letters, operation, 'failed', code)
  const moment = { now: clock.now(), zone: await findZone(db, campaign.workspace) }
  const brief = await findBrief(db, campaign.id)
  const shown = await showLetter(db, makeLetter, campaign, brief, { ...test, moment })
  if (shown.kind !== 'shown') return void (await failed(shown.kind))
  const { made } = shown
  if (made.kind === 'failed') return void (await failed('template_failed'))
  const connection =
    shown.connection === null ? undefined : await findConnection(db, shown.connection)
  if (!connection) return void (await failed('no_sender'))
  const { subject, text, html } = made
  const mail = await composeLetter({
    from: { name: connection.memberName, address: connection.account },
    to: test.toAddress,
    subject: `[Test] ${subject}`,
    text: `${text.trimEnd()}\n`,
    ...(html !== null && { html }),
    messageId: messageIdOf(testIdOf(operation), connection.account),
    inReplyTo: null,
    references: [],
    automated: true,
    date: clock.now(),
  })
  let session: Awaited<ReturnType<typeof openAccount>>
  try {
    session = await openAccount(deps, connection)
  } catch (error) {
    if (error instanceof MailTrouble) return void (await failed(error.code))
    throw error
  }
  try {
    const of = { operation, workspace: campaign.workspace }
    const claimed = await claimTest(letters, of, connection.id)
    if (claimed === 'held') return void (await failed('held'))
    if (!claimed) return
    deps.crash('test-claimed')
    const handover = await session.send(mail)
    if (handover.kind === 'accepted') await settleTest(letters, operation, 'sent')
    else if (handover.kind === 'unknown') await settleTest(letters, operation, 'unconfirmed')
    else await failed(codeOfRefusal(handover) ?? handover.kind)
  } finally {
    session.close()
  }
}
