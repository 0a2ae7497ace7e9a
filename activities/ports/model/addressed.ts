// Turns what a task says about the client ("they can order until Friday") into words to the client. English only: other
// languages inflect too much for plain rules, and tasks in them dictate in another form.

const verbs: Record<string, string> = {
  is: 'are',
  was: 'were',
  has: 'have',
  does: 'do',
  isn: 'aren',
  wasn: 'weren',
  hasn: 'haven',
  doesn: 'don',
}
/** Words that end in s and are not a verb in the third person. */
const others = /^(?:always|perhaps|this|its|us|as|was|is|has|does|ours|yes|plus|thus|[\p{L}]*ss)$/iu
const adverbs = /^(?:already|also|always|ever|even|just|never|not|now|often|still|[\p{L}]+ly)$/iu

/** The verb as it stands after “you”. */
function withYou(verb: string): string {
  const known = verbs[verb.toLowerCase()]
  if (known) return known
  if (!/s$/u.test(verb) || others.test(verb)) return verb
  if (/[^aeiou]ies$/u.test(verb)) return verb.replace(/ies$/u, 'y')
  return verb.replace(/(?<=(?:s|x|z|ch|sh|o))es$|s$/u, '')
}

const single = /(?<![\p{L}'’])s?he(?![\p{L}])(['’]\p{L}+)?((?:\s+\p{L}+){0,3})/giu
const capital = (like: string, word: string) =>
  /^\p{Lu}/u.test(like) ? word.charAt(0).toUpperCase() + word.slice(1) : word

/** Places where “them” is surely people: after what is done to or for somebody. */
const done =
  /\b(?:call|contact|email|e-mail|give|gave|help|invite|invited|let|meet|met|offer|offered|owe|pay|phone|reach|refund|remind|ring|see|send|sent|show|suits?|tell|told|thank|visit|write|wrote|for|with|to|from|by)\s+$/iu
const object =
  /^\s*(?:[^\s\p{L}\p{N}"“„«]|$)|^\s+(?:about|after|again|an?|and|any|as|at|back|because|before|by|for|from|how|if|in|next|now|of|on|once|or|our|so|some|soon|that|the|then|this|to|today|tomorrow|until|when|whether|with|within)\b/iu

/**
 * The words with the client as “you”; undefined if it is not certain who is meant. `of` is what the client was called before:
 * them, him, her, or anything else, after which each of these may mean the client.
 */
export function toClient(words: string, of: string): string | undefined {
  const called = of.toLowerCase()
  const may = (set: 'them' | 'him' | 'her') =>
    called === set || !['them', 'him', 'her'].includes(called)
  let isSure = true
  let text = words.replace(single, (found, short: string | undefined, rest: string) => {
    if (!may(/^s/iu.test(found) ? 'her' : 'him')) return found
    const you = capital(found, 'you')
    if (short) {
      // “She’s” is “she is” or “she has”.
      if (/^['’](?:ll|d)$/iu.test(short)) return you + short + rest
      isSure = false
      return found
    }
    const next = rest.trim().split(/\s+/)
    const at = next.findIndex((word) => !adverbs.test(word))
    return [you, ...next.map((word, i) => (i === at ? withYou(word) : word))].join(' ').trimEnd()
  })
  text = text.replace(
    /(?<![\p{L}'’])(they|them|their|theirs|themselves|his|him|himself|her|hers|herself)(?![\p{L}])/giu,
    (found, _, from: number, whole: string) => {
      const word = found.toLowerCase()
      const set = word.startsWith('the') ? 'them' : word.startsWith('hi') ? 'him' : 'her'
      if (!may(set)) return found
      if (/sel(?:f|ves)$/.test(word)) return capital(found, 'yourself')
      if (word === 'theirs' || word === 'hers') return capital(found, 'yours')
      if (word === 'their' || word === 'his') return capital(found, 'your')
      if (word === 'them' && !done.test(whole.slice(Math.max(0, from - 20), from))) isSure = false
      const isObject = word !== 'her' || object.test(whole.slice(from + 3, from + 40))
      return capital(found, isObject ? 'you' : 'your')
    },
  )
  return isSure ? text : undefined
}
