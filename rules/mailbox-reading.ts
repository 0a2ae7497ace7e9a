// What the numbers that a server gives for a folder mean for its reading. A server may count a mail before it shows it, and may be
// wrong: what it says is compared with what was read, and believed only where it fits.

/** All UIDs below `nextUid` have been read under this UIDVALIDITY (RFC 9051, 2.3.1.1). */
type FolderPosition = { uidValidity: string; nextUid: number }
type State = { uidValidity: string; uidNext: number; exists: number }

/**
 * first: the folder is read for the first time, or its server has renumbered it. moved: there may be something new. still:
 * nothing has changed since it was read to its end. doubtful: there is more in it, and nothing new.
 */
export type Movement = 'first' | 'moved' | 'still' | 'doubtful'

/**
 * What a look at a folder finds. `seen` is what the server said when it was last read to its end in this session; undefined if
 * it has not been.
 */
export function movementOf(
  place: FolderPosition | undefined,
  state: State,
  seen: State | undefined,
): Movement {
  if (place?.uidValidity !== state.uidValidity) return 'first'
  // Servers before RFC 3501 do not say UIDNEXT.
  if (state.uidNext === 0) return seen?.exists === state.exists ? 'still' : 'moved'
  if (seen?.uidValidity === state.uidValidity && seen.uidNext === state.uidNext) {
    if (state.exists > seen.exists) return 'doubtful'
    return 'still'
  }
  // A server that was restored from a backup gives numbers again that it has given.
  if (state.uidNext < place.nextUid) return 'first'
  return seen === undefined && state.uidNext === place.nextUid ? 'still' : 'moved'
}

/** How many mails a folder counts that its server does not show, beyond those that are known. */
export const hiddenIn = (exists: number, shown: number): number => Math.max(0, exists - shown)
