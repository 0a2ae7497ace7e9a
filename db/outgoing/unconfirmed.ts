/**
 * The notification about an unconfirmed letter: which letter it is, where to look, and who needs the result. `address` is that
 * of the call that decides it, if there is one.
 */
export const unconfirmedWords = (
  what: string,
  { id, account, messageId }: { id: string; account: string; messageId: string },
  address?: string,
) =>
  `It is not known whether ${what} from ${account} arrived: ${id}, Message-ID ${messageId}. Please look in the Sent folder of ` +
  'that account or ask the recipient, and say whether it was sent or must be sent again: ' +
  (address === undefined ? '' : `by POST ${address} with the outcome sent or again, or `) +
  `by telling the operator of Postroom (npm run operation -- resolve ${id} sent, or again).`
