// Where the owner of a mailbox is led back to, once it is connected or they have given up. An address is parsed once, when its
// link is made, so that no page takes it from a browser.

/** The longest address to lead back to, in characters. */
export const longestReturnTo = 2_000

/**
 * The address as browsers write it; undefined unless it lies at one of the origins, letter by letter. Nothing is corrected: blanks,
 * backslashes, a user before the host and other spellings of an origin are refused, because programs differ in what they read there.
 */
export function returnToIn(text: string, origins: readonly string[]): string | undefined {
  if (text.length > longestReturnTo || !/^[!-~]+$/.test(text) || text.includes('\\'))
    return undefined
  const origin = origins.find((one) => text === one || beginsWith(text, one))
  if (origin === undefined || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.origin === origin && url.username === '' && url.password === '' ? url.href : undefined
}

const beginsWith = (text: string, origin: string) =>
  text.startsWith(origin) && ['/', '?', '#'].includes(text.charAt(origin.length))

export type Ending = { state: 'connected'; connection: string } | { state: 'cancelled' }

/** The address with how it ended, and nothing else that its reader did not ask for. */
export function ledBack(returnTo: string, ending: Ending): string {
  const url = new URL(returnTo)
  url.searchParams.delete('connection')
  if (ending.state === 'connected') url.searchParams.set('connection', ending.connection)
  url.searchParams.set('state', ending.state)
  return url.href
}
