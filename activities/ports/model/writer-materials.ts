import { fold, stem } from '../../../rules/judge/vocabulary.ts'
import { linesOf, sentencesOf } from './wording.ts'

// Which of a campaign's materials a template letter relies on, and how much of it.

export type Material = { title: string; text: string }

const mostSentences = 3
const mostCharacters = 500
// A material is identified by its beginning.
const readCharacters = 20_000

/** A title that is not a sentence. */
const fileName = /^\S+\.\w{2,5}$/u

/**
 * The first sentences of the material that has most words in common with the person, the goal and `said`. Each place takes
 * another material while there are any left. Undefined if there is none. A material without text contributes its title.
 */
export function fittingMaterial(
  brief: {
    place: number
    materials: Material[]
    goal: string
    person: { jobTitle: string; company: string } | null
  },
  said: string,
): string[] | undefined {
  const wanted = wordsOf(
    [brief.person?.jobTitle, brief.person?.company, brief.goal, said].filter(Boolean).join(' '),
  )
  const usable = brief.materials.filter(
    ({ title, text }) => (title.trim() && !fileName.test(title.trim())) || text.trim(),
  )
  const ranked = usable
    .map((material) => ({
      material,
      common: [...wordsOf(`${material.title} ${material.text}`)].filter((word) => wanted.has(word))
        .length,
    }))
    .sort((a, b) => b.common - a.common)
  const chosen = ranked[(brief.place - 1) % Math.max(ranked.length, 1)]?.material
  if (!chosen) return undefined
  if (chosen.text.trim() === '') return [ended(chosen.title)]
  const sentences: string[] = []
  const told = linesOf(chosen.text.slice(0, readCharacters)).flatMap(sentencesOf)
  for (const sentence of told.slice(0, mostSentences)) {
    const long = sentences.join(' ').length + sentence.length > mostCharacters
    if (long && sentences.length > 0) break
    sentences.push(ended(sentence.replace(/^\p{Ll}/u, (first) => first.toUpperCase())))
  }
  return sentences
}

const ended = (text: string) => (/[.!?…:]$/u.test(text.trim()) ? text.trim() : `${text.trim()}.`)

// Short words hold a sentence together and do not show its subject.
const wordsOf = (text: string) =>
  new Set(
    (fold(text.slice(0, readCharacters)).match(/[\p{L}\p{N}]{4,}/gu) ?? [])
      .slice(0, 5000)
      .map((word) => stem(word)),
  )
