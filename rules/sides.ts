/** The side of a product that somebody is on. */
export type Side = 'buyer' | 'seller'

const meant = {
  buyer: 'buyer',
  seller: 'seller',
  client: 'buyer',
  partner: 'seller',
} as const satisfies Record<string, Side>

/** A side as callers may write it. */
export type SideGiven = keyof typeof meant
export const sidesGiven = Object.keys(meant) as SideGiven[]

/** The side that a text means; undefined if it does not name one. */
export function sideMeant(text: SideGiven): Side
export function sideMeant(text: string): Side | undefined
export function sideMeant(text: string): Side | undefined {
  return Object.hasOwn(meant, text) ? meant[text as SideGiven] : undefined
}
