// What the quiet tenant is given, and what it measures.

export type Quiet = {
  url: string
  token: string
  seconds: number
  conversations: string[]
  /** A running campaign's segment: who joins it gets a letter. */
  segment: string
  /** Where strangers hand in mail for its account. */
  smtpPort: number
  account: string
}
export const kinds = ['reads', 'awaited', 'messages', 'letters', 'replies', 'webhooks'] as const
export type Kind = (typeof kinds)[number]
export type Measured = Record<Kind, number[]> & {
  /** Everything that was not answered 200, by its status; 0 is no answer at all. */
  refused: Record<string, number>
  /** The address whose slowest answer took longest. */
  slowest: string
}
