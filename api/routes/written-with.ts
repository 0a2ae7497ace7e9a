import {
  type Edited,
  type Hanging,
  lockWrittenWith,
  withdrawLetters,
} from '../../db/campaigns/written-with.ts'
import { allow } from '../http/who.ts'
import type { ChangeContext, Scope } from '../route.ts'

type Context = Pick<ChangeContext, 'db' | 'workspace' | 'scopes'>

/** The reference's sentence about changes of something that letters are written with. */
export const editsLetters =
  'If letters of a campaign are written with what this changes, their agreement is withdrawn. While such a campaign is running, the call also needs `campaigns:write`.'

const needed: Scope[] = ['inbox:write', 'campaigns:write']

/**
 * An edit of something that letters are written with: the letters of the campaigns that depend on it are no longer
 * agreed.
 * @throws ApiError insufficient_scope if one of these campaigns is running and the caller may not write campaigns.
 */
export async function lettersEdited(
  context: Context,
  edited: Edited,
  campaigns?: Hanging[],
): Promise<void> {
  const { db, workspace } = context
  const hanging = campaigns ?? (await lockWrittenWith(db, workspace.id, edited))
  mayTouch(context, hanging)
  await withdrawLetters(db, hanging)
}

/** An edit that lets letters be sent but changes none: it needs the same scope. */
export async function lettersReleased(context: Context, edited: Edited): Promise<void> {
  mayTouch(context, await lockWrittenWith(context.db, context.workspace.id, edited))
}

function mayTouch({ scopes }: Context, campaigns: Hanging[]) {
  if (campaigns.some(({ state }) => state === 'running')) allow(scopes, needed)
}
