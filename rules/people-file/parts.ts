import type { AddressKind } from '../addresses.ts'
import { numeralOf } from './numerals.ts'

const mostOfAKind = 20

/** The addresses that a cell holds, as Google (" ::: "), HubSpot (";"), Pipedrive (", ") and others write several. */
export function partsOf(kind: AddressKind, cell: string): string[] {
  if (kind === 'linkedin')
    return cell.split(/:::|[\r\n]/, mostOfAKind).filter((part) => part.trim() !== '')
  if (kind === 'phone' && numeralOf(cell) !== undefined) return [cell]
  return cell
    .split(/:::|[;|\r\n]/, mostOfAKind)
    .flatMap((part) => withNames(kind, part.split(',', mostOfAKind)))
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
