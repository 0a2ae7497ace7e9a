/**
 * What the bounces of one family of mail servers have in common. All of it is in lower case on a single line, as
 * rules/mail/reports/phrases.ts folds texts.
 */
export type Family = {
  name: string
  /** Each proves, in the words of a mail server, that a letter was not delivered. */
  opens: string[]
  /** Where the returned letter begins: the beginnings of lines. */
  cuts?: string[]
}
