import type { AddressKind } from '../addresses.ts'
import { numeralOf } from './numerals.ts'

const mostOfAKind = 20

/** The addresses that a cell holds, as Google (" ::: "), HubSpot (";"), Pipedrive (", ") and people ("a@x.test / b@x.test") write several. */
export function partsOf(kind: AddressKind, cell: string): string[] {
  if (kind === 'linkedin') return linksIn(cell)
  if (kind === 'phone' && numeralOf(cell) !== undefined) return [cell]
  return cell
    .split(/:::|[;|\r\n]/, mostOfAKind)
    .flatMap((part) => withNames(kind, part.split(',', mostOfAKind)))
    .flatMap((part) => (kind === 'email' ? emailsIn(part) : numbersIn(part)))
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .slice(0, mostOfAKind)
}

/** A name before an address may hold a comma: "Roth, Nadia" <nadia@roth.example>. */
function withNames(kind: AddressKind, parts: string[]): string[] {
  if (kind !== 'email') return parts
  const whole: string[] = []
  let name: string[] = []
  for (const part of parts)
    if (!part.includes('@')) name.push(part)
    else {
      const isNamed = /^[^<@]*</.test(part)
      whole.push(...(isNamed ? [[...name, part].join(',')] : [...name, part]))
      name = []
    }
  return [...whole, ...name]
}

/** Several addresses with nothing but blanks, words or strokes between them; one with a name beside it stays as it is. */
function emailsIn(part: string): string[] {
  const inBrackets = (part.match(/<[^<>]*>/g) ?? []).filter((one) => one.includes('@'))
  if (inBrackets.length > 1) return inBrackets
  if (inBrackets.length > 0) return [part]
  const words = part.split(/[\s/&()[\]]+/).filter((word) => word.includes('@'))
  return words.length > 1 ? words : [part]
}

/** A stroke is part of a German number, 030/123456; between two whole numbers it has blanks around it. */
function numbersIn(part: string): string[] {
  const numbers = part.split(/\s[/&]\s|\s(?:or|oder|ou|und|and|et|y|e)\s/i)
  const isWhole = (number: string) => number.replace(/\D/g, '').length >= 6
  return numbers.every(isWhole) ? numbers : [part]
}

/** Links have no blanks; a name of a profile may. */
function linksIn(cell: string): string[] {
  const lines = cell.split(/:::|[\r\n]/, mostOfAKind)
  return lines
    .flatMap((line) => (line.split('://').length > 2 ? line.split(/[\s,;|]+/) : [line]))
    .filter((part) => part.trim() !== '')
    .slice(0, mostOfAKind)
}
