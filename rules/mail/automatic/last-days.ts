// A last day of which people say that they are still away on it.

const before =
  /(?<!\p{L})(?:throug?h|thru|including|einschl(?:ie(?:ß|ss)lich|\.)|inkl(?:usive|\.)|bis und mit|t\/m|t\.e\.m\.|tot en met|włącznie (?:z|do))[\s:]{1,3}(?:[\p{L}.]{1,14},?\s{1,3}){0,2}$/iu
const after =
  /^(?:\s?r\.)?[\s,]{0,3}\(?(?:(?:ambos|entrambi|beide|both|les deux|w)\s)?(?:inclu(?:sive|sief|s|so|si|se|sa|ded|ido|idos|íd[oa]s?)(?!\p{L})|(?:incl|inkl|einschl)\.(?!\s?\p{L})|inklusive|einschlie(?:ß|ss)lich|compres[oi]|włącznie|inbegrepen|(?:\s?\([^)]{1,3}\)\s?)?(?:いっぱい|を含))/iu
const within =
  /(?<!\p{L})(?:throug?h|thru|including|einschl|inkl|bis und mit|t\/m|tot en met|włącznie)/iu

/** Whether an absence lasts through the day that stands at a place of a text, whose own words may end a time. */
export function isThrough(
  text: string,
  { start, end, isRange = false }: { start: number; end: number; isRange?: boolean },
): boolean {
  return (
    before.test(text.slice(Math.max(0, start - 60), start)) ||
    after.test(text.slice(end, end + 40)) ||
    (isRange && within.test(text.slice(start, Math.min(end, start + 100))))
  )
}
