// Enhanced status codes (RFC 3463) and the reply codes of SMTP (RFC 5321): which code a report gives, and which of them say that
// an address will never work.

// IANA has registered the subjects 0 to 7. A longer run of numbers is a version or an address of the internet.
const enhanced = /(?<![\d.])([245])\.([0-7])\.(\d{1,3})(?!\d|\.\d)/g
// A reply stands where an answer of a server begins, and is no area code of a telephone number. Providers have numbers of their
// own below 420.
const reply =
  /(?:^|[\n:;<>[("'#]|said|responded|response|returned|error|code|status|was|with)[ \t]{0,20}#?(4(?:[2-5]\d|71)|5(?:[0-5]\d|71))(?!\)?[-. ]{0,2}\d{3}[-. ]\d{4}(?!\d))(?=[\s\-:,.;#)\]"']|$)/gi

/** The enhanced status codes in a text, in its order. */
export const codesIn = (text: string): string[] =>
  [...text.matchAll(enhanced)].map(
    ([, kind, subject, detail]) => `${kind}.${subject}.${Number(detail)}`,
  )

/** The reply codes in a text, in its order. */
export const repliesIn = (text: string): string[] =>
  [...text.matchAll(reply)].map((match) => match[1] as string)

/** Says only whether it failed for good; words may say more. Exchange has details of its own, such as 5.0.350. */
export const isBare = (code: string): boolean => /^[245]\.(?:[0-5]\.0|0\.\d{1,3})$/.test(code)

/** What a reply code says by itself. */
export const codeOfReply = (reply: string): string => replies[reply] ?? `${reply[0]}.0.0`
const replies: Record<string, string> = {
  '421': '4.4.2',
  '452': '4.2.2',
  // A command that the server did not expect or does not know says nothing of an address.
  '500': '5.5.2',
  '502': '5.5.1',
  '503': '5.5.1',
  '504': '5.5.4',
  '471': '4.7.1',
  '530': '5.7.0',
  '535': '5.7.8',
  '551': '5.1.6',
  '552': '5.2.2',
  '571': '5.7.1',
  '553': '5.1.3',
}

/** A code in the class of a reply or of another code: 5.1.1 for the class 4 is 4.1.1. */
export const inClass = (code: string, like: string): string => `${like[0]}${code.slice(1)}`

// The only codes that say that an address does not work, now and later. Anything else may pass: a full mailbox (5.2.2), a mail
// that is too large (5.2.3, 5.3.4), a system or a route in trouble (5.3.x, 5.4.x), a fault of ours or of our mail (5.1.7, 5.1.8,
// 5.5.x, 5.6.x), a policy (5.7.x).
const permanent: Record<string, string> = {
  '5.0.0': 'refused for good, for no stated reason',
  '5.1.0': 'the address does not work',
  '5.1.1': 'no such user',
  '5.1.2': 'no such domain',
  '5.1.3': 'not an address',
  '5.1.4': 'an ambiguous address',
  '5.1.6': 'moved, without a new address',
  '5.1.10': 'no such user, or a domain that takes no mail (RFC 7505)',
  '5.2.1': 'the mailbox is disabled',
  '5.4.4': 'no route to the domain',
  '5.4.310': 'no such domain',
}

export const isPermanent = (code: string): boolean => code in permanent
