/** On which side of a product somebody is. */
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

/** The side that is meant; undefined where the text is not one. */
export function sideMeant(text: SideGiven): Side
export function sideMeant(text: string): Side | undefined
export function sideMeant(text: string): Side | undefined {
  return Object.hasOwn(meant, text) ? meant[text as SideGiven] : undefined
}
