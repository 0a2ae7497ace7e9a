/** The notification about an unconfirmed letter: which letter it is, where to look, and whom to tell the result. */
export const unconfirmedWords = (
  what: string,
  { id, account, messageId }: { id: string; account: string; messageId: string },
) =>
  `It is not known whether ${what} from ${account} arrived: ${id}, Message-ID ${messageId}. Please look in the Sent folder of ` +
  'that account or ask the recipient, and tell the operator of Postroom whether it was sent or must be sent again ' +
  `(npm run operation -- resolve ${id} sent, or again).`
