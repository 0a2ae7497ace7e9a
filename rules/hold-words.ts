// What members read about a hold.

const whole = (sentence: string) => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`)

export const heldSentence = (why: string): string =>
  `The workspace is held: ${whole(why)} Nothing is sent until that ends; reading and writing go on.`

export const releasedSentence = 'The workspace is no longer held: what has waited is sent now.'

export const hostHeldSentence = (host: string, why: string): string =>
  `Accounts at ${host} are held: ${whole(why)} Nothing is sent through them until that ends.`

export const hostReleasedSentence = (host: string): string =>
  `Accounts at ${host} are no longer held: what has waited is sent now.`
