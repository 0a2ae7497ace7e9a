import type { Language } from '../../../db/campaigns/tables.ts'

// The languages in which we write letters, and which of them a text is in.

export type { Language }

const languages: Language[] = ['en', 'de', 'es', 'fr']

// Words that hold sentences together and belong to only one of the languages.
const words: Record<Language, string> = {
  en: `the and of to we you your our us is are were with for that this these it its have has had would can could from by at be
    not they their them when which who what how than any all about i my she`,
  de: `der das dem den ein eine einen einem einer eines und oder ist sind wir sie ich ihr ihre ihnen ihrem ihren unser unsere
    unseren unserem uns mit für auf aus bei nach von vom zum zur zu nicht auch wie wenn dass nur noch über ohne haben wird werden
    kann können gern gerne bitte mich mir im am sich keine kein`,
  es: `el los las con para por una su sus nuestro nuestra nuestros nuestras nosotros usted ustedes del al está son pero más muy
    como cómo qué sin hay han gustaría y`,
  fr: `les et est sont nous vous votre vos notre nos pour avec dans sur une aux ce cette ces qui ne pas je mes il elle ils sans
    chez être avez avons`,
}
const languageOfWord = new Map(
  languages.flatMap((language) =>
    words[language].split(/\s+/).map((word): [string, Language] => [word, language]),
  ),
)

const readCharacters = 5_000

/** The language of a text, if its words clearly belong to one of ours. */
export function languageOf(text: string): Language | undefined {
  const counts = { en: 0, de: 0, es: 0, fr: 0 }
  for (const [word] of text
    .slice(0, readCharacters)
    .toLowerCase()
    .matchAll(/\p{L}+/gu)) {
    const language = languageOfWord.get(word)
    if (language) counts[language]++
  }
  const [first, second] = languages.toSorted((a, b) => counts[b] - counts[a])
  if (!first || !second) return undefined
  // “A light CRM” has no other word that shows its language.
  if (counts[first] === 0) return /^\s*an? \p{L}/iu.test(text) ? 'en' : undefined
  return counts[first] >= 2 * counts[second] ? first : undefined
}
