import { keyOf, readAddress } from '../../rules/addresses.ts'
import type { Occurrence } from '../../rules/calendar/events.ts'
import { erasedMark } from '../../rules/people/erased-words.ts'
import type { Trx } from '../database.ts'
import { findErased } from '../people/erased.ts'
import type { SecretKey } from '../secrets.ts'

// As long as addresses may be, so that no text takes long, and without the full stop of a sentence.
const address = /[^\s<>()[\],;:"'@]{1,64}@[^\s<>()[\],;:"'@]{0,253}[^\s<>()[\],;:"'@.]/gu

/**
 * Events as they are copied: without people who were erased. Their names are not kept, so nobody can say which words of an event that
 * they attend are about them: none of those are copied. It still takes its time.
 */
export async function withoutErased(
  trx: Trx,
  secretKey: SecretKey | undefined,
  workspace: string,
  events: Occurrence[],
): Promise<Occurrence[]> {
  const named = [
    ...new Set(
      events.flatMap(({ title, agenda, guests, replies }) => [
        ...guests,
        ...replies.map((reply) => reply.address),
        ...(`${title} ${agenda}`.match(address) ?? []),
      ]),
    ),
  ]
  const read = new Map(
    named.flatMap((text) => {
      const found = readAddress('email', text)
      return found ? [[text, found] as const] : []
    }),
  )
  const erased = await findErased(trx, secretKey, workspace, [...read.values()])
  if (erased.size === 0) return events
  const isErased = (text: string) => {
    const found = read.get(text)
    return found !== undefined && erased.has(keyOf(found))
  }
  const words = (text: string) =>
    text.replace(address, (found) => (isErased(found) ? erasedMark : found))
  return events.map((event) => {
    const guests = event.guests.filter((guest) => !isErased(guest))
    const replies = event.replies.filter((reply) => !isErased(reply.address))
    const isGuest = guests.length < event.guests.length || replies.length < event.replies.length
    const said = isGuest
      ? { title: erasedMark, agenda: '' }
      : { title: words(event.title), agenda: words(event.agenda) }
    return { ...event, guests, replies, ...said }
  })
}
