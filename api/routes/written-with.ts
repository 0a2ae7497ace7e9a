import {
  type Edited,
  type Hanging,
  lockWrittenWith,
  withdrawLetters,
} from '../../db/campaigns/written-with.ts'
import { allow } from '../http/who.ts'
import type { ChangeContext, Scope } from '../route.ts'

type Context = Pick<ChangeContext, 'db' | 'workspace' | 'scopes'>

/** What the reference says of a change that letters are written with. */
export const editsLetters =
  'Withdraws the agreement of the letters of campaigns that would be written with what it changes. While such a campaign is running, it needs `campaigns:write` too.'

const needed: Scope[] = ['inbox:write', 'campaigns:write']

/**
 * An edit of what letters are written with: those of the campaigns that hang on it are not agreed any more.
 * @throws ApiError insufficient_scope while one of them is running and the caller may not write campaigns.
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

/** An edit that lets letters go and changes none: it asks for the same right. */
export async function lettersReleased(context: Context, edited: Edited): Promise<void> {
  mayTouch(context, await lockWrittenWith(context.db, context.workspace.id, edited))
}

function mayTouch({ scopes }: Context, campaigns: Hanging[]) {
  if (campaigns.some(({ state }) => state === 'running')) allow(scopes, needed)
}
