/**
 * Why the runner of a campaign looks again. Only `people` has it plan first letters; with every other reason it only looks for
 * the letter that may go next.
 *
 * - `people`: somebody may have joined the segment or left it, or the campaign has another one.
 * - `letters`: letters of the campaign have changed, such as one that is agreed, written, put off or ended.
 * - `accounts`: an account works again, or its settings have changed.
 * - `mailbox`: the mailbox of an account that has follow-ups due has been read to its end.
 * - `settings`: the settings of the campaign, its agent or its workspace have changed.
 * - `hold`: what an operator held goes on.
 */
export type WakeReason = 'people' | 'letters' | 'accounts' | 'mailbox' | 'settings' | 'hold'

/** A signal without a reason is from 0.4.0 or earlier: it may mean anything. */
export const isOfPeople = (reason: WakeReason | undefined): boolean =>
  reason === undefined || reason === 'people'
