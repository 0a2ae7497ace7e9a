import { suppressAddresses } from '../accounts/suppressions.ts'
import { failTouches } from '../campaigns/touches.ts'
import type { Trx } from '../database.ts'
import type { Stop } from '../people/import-resolve.ts'
import { refuseLetters } from './stop-letters.ts'

/**
 * Suppresses the people of whom a file says that nobody may write to them: all their addresses, or the one that a bounce is
 * about; of a row that leads to no card, those that it names. Letters that wait for them end. The caller has locked the people;
 * what is suppressed already stays as it is. All of them take the same few statements, since a file may consist of them.
 */
export async function stopImported(
  trx: Trx,
  workspace: string,
  stops: Stop[],
  evidence: string,
  now: Date,
) {
  const told = { workspace, evidence, now }
  for (const reason of ['unsubscribe', 'complaint'] as const) {
    const people = [...new Set(stops.filter((stop) => stop.reason === reason).flatMap(personOf))]
    if (people.length > 0) await refuseLetters(trx, { ...told, people, reason })
  }
  const entries = stops.flatMap(({ reason, emails }) =>
    (reason === 'bounce' ? emails.slice(0, 1) : emails).map((address) => ({ address, reason })),
  )
  const added = await suppressAddresses(trx, { ...told, entries })
  const back = new Set(added.flatMap(({ address, reason }) => (reason === 'bounce' ? address : [])))
  const bounced = stops.filter(
    ({ reason, emails }) => reason === 'bounce' && back.has(emails[0] ?? ''),
  )
  if (bounced.length > 0)
    await failTouches(trx, { people: bounced.flatMap(personOf) }, 'bounced', now)
}

const personOf = ({ person }: Stop) => person ?? []
