import { createHash } from 'node:crypto'

// Which variant of a place a person gets.

export const variants = ['a', 'b', 'c', 'd'] as const
export type Weighted = { variant: string; weight: number }

/**
 * The variant of a person: the one that was chosen before, while there is one, otherwise by a hash of campaign and person and
 * by weight. So a person has the same at each try, and the same letters across places of equal weights.
 */
export function variantFor<T extends Weighted>(
  given: T[],
  { campaign, person, kept }: { campaign: string; person: string; kept: string | null },
): T | undefined {
  const known = given.find(({ variant }) => variant === kept)
  if (known) return known
  const sorted = given.toSorted((a, b) => (a.variant < b.variant ? -1 : 1))
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0)
  const hash = createHash('sha256').update(`${campaign} ${person}`).digest()
  let at = (hash.readUInt32BE() / 2 ** 32) * total
  return (
    sorted.find(({ weight }) => {
      at -= weight
      return at < 0
    }) ?? sorted.at(-1)
  )
}
