/** Words of a table in the form in which they are compared: small letters without marks, and single blanks between them. */
export function plainHeading(heading: string): string {
  return heading
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** HasOptedOutOfEmail is "Has Opted Out Of Email". */
export const spacedOut = (heading: string): string => heading.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
