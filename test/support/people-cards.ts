import { nothingKnown, resolveBatch, type Stop, stopsOf } from '../../rules/people/import-batch.ts'
import { readImport } from '../../rules/people-file/read.ts'
import type { Batch } from '../../rules/people-file/rows.ts'
import { withoutShared } from '../../rules/people-file/shared.ts'

/** The cards that a file makes, each with who was stopped, as the import makes them. */
export async function cardsOf(content: Buffer) {
  const batches: Batch[] = []
  const read = await readImport(content, [], (batch) => void batches.push(batch))
  if ('unreadable' in read) return read.unreadable
  const known = nothingKnown()
  const stops: Stop[] = []
  for (const batch of batches.map((one) => withoutShared(one, new Set(read.shared)))) {
    let made = known.cards.size
    const effects = resolveBatch(batch, known, 'complete', () => `per_${++made}`)
    stops.push(...stopsOf(batch, effects))
  }
  const cards = [...known.cards].map(([id, { name, company, city, jobTitle }]) => {
    const addresses = known.orders.get(id) ?? []
    const of = (wanted: string) =>
      addresses.flatMap(({ kind, value }) => (kind === wanted ? [value] : []))
    const stop = stops.find(({ person }) => person === id)
    const [emails, phones, profiles] = [of('email'), of('phone'), of('linkedin')]
    return { name, company, city, jobTitle, emails, phones, profiles, stop: stop?.reason }
  })
  return cards
}
