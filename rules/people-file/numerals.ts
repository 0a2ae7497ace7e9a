// Numbers as spreadsheets show them where a column is too narrow: 4.91512E+11, with a comma in many languages.

const scientific = /^([+-]?)(\d)(?:[.,](\d+))?[eE]\+?(\d{1,2})$/

/**
 * The digits of a number that is written with an exponent; null if digits of it are lost, undefined if the text is no such
 * number.
 */
export function numeralOf(text: string): string | null | undefined {
  const [, sign, whole, fraction = '', exponent] = scientific.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const digits = whole + fraction
  return digits.length === Number(exponent) + 1 ? `${sign === '+' ? sign : ''}${digits}` : null
}
