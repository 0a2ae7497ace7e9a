import { withoutInvisible } from '../text.ts'

/** Words of a table in the form in which they are compared: small letters without marks, and single blanks between them. */
export function plainHeading(heading: string): string {
  return withoutInvisible(heading)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** HasOptedOutOfEmail is "Has Opted Out Of Email", and email1 is "email 1". */
export const spacedOut = (heading: string): string =>
  heading.replace(/(\p{Ll})(?=\p{Lu})|(\p{L})(?=\d)/gu, '$& ')
