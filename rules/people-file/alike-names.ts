import { plainHeading } from './plain-heading.ts'

// Whether two names may be those of one person, as an export of one program and the notes of a colleague write them.

/** The words of a name in the form in which they are compared. */
export const wordsOf = (name: string): string[] =>
  plainHeading(name.slice(0, 200))
    .split(' ')
    .filter((word) => word !== '' && !titles.has(word))

/** Whether two names may be those of one person, as "A. Berg" and "Berg, Anna", and "Bob" and "Robert", may be. */
export function mayBeOne(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)]
  return (words.length === 0) === (others.length === 0) && mayBeSame(words, others)
}

/** Every word of the shorter name has its like in the longer one. */
export function mayBeSame(one: string[], other: string[]): boolean {
  const [few, many] = one.length <= other.length ? [one, other] : [other, one]
  return few.every((word) => many.some((own) => areAlike(own, word)))
}

const titles = new Set('dr prof mr mrs ms herr frau'.split(' '))

const areAlike = (one: string, other: string) =>
  one.startsWith(other) ||
  other.startsWith(one) ||
  familiar.get(one)?.includes(other) === true ||
  differByOne(spelled(one), spelled(other))

/** Müller, Mueller and Muller. */
const spelled = (word: string) => word.replace(/([aou])e/g, '$1').replaceAll('ß', 'ss')

/** Whether one letter is left out, put in or another one, in words so long that this is a slip. */
function differByOne(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < 4 || long.length - short.length > 1) return short === long
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  const rest = short.length === long.length ? at + 1 : at
  return short.slice(rest) === long.slice(at + 1)
}

/** First names, each line with those by which the same person goes. */
const families = `robert bob bobby rob roberto, william bill billy will willi guillermo, richard dick rick ricardo, elizabeth elisabeth liz beth betty lisa elsa,
  margaret margarete peggy maggie greta, james jim jimmy, john jack johnny juan hans johannes jan, edward ted ed eddie, michael mike mick michel miguel,
  anthony anton toni tony antonio, thomas tom tomas, charles chuck charlie carlos karl, joseph josef sepp joe jose pepe giuseppe peppe, francis frank paco francisco franz,
  alexander alex sascha sasha alejandro, katherine katharina kate kathy katja catherine, susan susanne sue susi, rebecca becky, deborah debbie, theodore ted,
  patricia pat trish, andrew andy andreas andre, stephen steven steve stefan, matthew matt matthias, christopher chris christoph christian, daniel dan danny,
  gregory greg, jeffrey jeff geoffrey, kenneth ken, lawrence larry lorenz, leonard len leo, nicholas nick nico klaus niklas, peter pete pedro, ronald ron,
  samuel sam, timothy tim, victoria vicky, barbara babs, dorothy dot, jennifer jenny, jessica jess, kimberly kim, pamela pam, sandra alessandra,
  friedrich fritz fred, heinrich heinz henry harry, wilhelm willi, gertrud trude, maria mia marie, rafael rafa raphael, ignacio nacho, enrique quique kike,
  мария маша, александр саша, екатерина катя, дмитрий дима, иван ваня, владимир вова, наталья наташа, татьяна таня, сергеи сережа`
const familiar = new Map<string, string[]>()
for (const family of families.split(',')) {
  const names = wordsOf(family)
  for (const name of names) familiar.set(name, [...(familiar.get(name) ?? []), ...names])
}
