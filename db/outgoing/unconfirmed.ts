/** What a member reads of a letter nobody has confirmed: which it is, where to look, and whom to tell what was found. */
export const unconfirmedWords = (
  what: string,
  { id, account, messageId }: { id: string; account: string; messageId: string | null },
) =>
  `It is not known whether ${what} from ${account} arrived: ${id}, Message-ID ${messageId}. Please look in the Sent folder of ` +
  'that account or ask the recipient, and tell whoever operates Postroom whether it was sent or is to go again ' +
  `(npm run operation -- resolve ${id} sent, or again).`
