import { isOfOurs, isOwnAddress, isOwnDomain, type Own } from '../own-addresses.ts'
import { addressesInName, isOtherAddress } from './display-names.ts'
import type { ReceivedMail } from './received.ts'

// Who wrote a mail, once it is known which addresses are ours.

export type AsWritten = {
  mail: ReceivedMail
  /** The address of ours through which a group or a form sent it. */
  via: string | null
  /** One of our own people wrote it. */
  isOwn: boolean
}

/**
 * A mail as its writer's: that of a group or a form of ours is theirs whom it names, and not that of its From. A name that shows an
 * address of ours under another sender is not believed.
 */
export function asWritten(given: ReceivedMail, own: Own): AsWritten {
  const { from, written } = given
  const isThrough = written !== null && isOfOurs(own, from.address) && !given.report
  const mail = isThrough ? { ...given, ...written } : given
  const shows = addressesInName(mail.from.name).some((one) => isOfOurs(own, one))
  // Whoever sent a report, it counts for the letter that it proves to know.
  const isForged =
    !mail.report && (isOtherAddress(mail.from) || (shows && !isOfOurs(own, mail.from.address)))
  return {
    mail: { ...mail, suspect: mail.suspect || isForged },
    via: isThrough ? from.address : null,
    isOwn: isOwnAddress(own, mail.from.address),
  }
}

/**
 * Whether a server that is believed disowns the writer of a mail that a group of ours has sent on: the account's own, one of our
 * domains or, as long as the former is not known, any. Such a word can only take effects away.
 */
export const isDisowned = (
  { originalAuthentication }: ReceivedMail,
  names: string[],
  own: Own,
): boolean =>
  originalAuthentication.some(
    ({ id, dmarc }) =>
      dmarc === 'fail' && (names.length === 0 || names.includes(id) || isOwnDomain(own, id)),
  )
