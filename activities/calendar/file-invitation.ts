import { listExternalCalendars, ownCalendarId } from '../../db/calendar/calendars.ts'
import { dropCopies, findInvited, isHeld, keepCopy, listApart } from '../../db/calendar/invited.ts'
import { listFiles, readFilePieces } from '../../db/conversations/files.ts'
import type { FilingInput } from '../../workflows/inputs.ts'
import type { Deps } from '../deps.ts'
import { heldEventAside, occurrencesAside } from '../ports/calendar/aside.ts'
import { withCalendar } from './with-calendar.ts'

const day = 24 * 60 * 60 * 1000
const aheadMs = 180 * day
const mostOfSeries = 200
const largestEvent = 512 * 1024

export const fileInvitationActivities = (deps: Deps) => {
  const { db, clock } = deps
  return {
    /**
     * Makes the member's calendar hold a meeting that they were invited to, as they have answered, or not hold it. Safe to retry:
     * the event is stored under the name of its UID, and a copy by its UID.
     */
    async fileInvitation({ message }: FilingInput): Promise<void> {
      const found = await findInvited(db, message)
      const invitation = found?.invitation
      // A newer version is filed by itself.
      if (!found || !invitation || invitation.state === 'replaced') return
      const { workspace, member, timezone: zone } = found
      const [external] = await listExternalCalendars(db, member)
      const held = isHeld(invitation)
      // One occurrence of a series is left out by what the invitation says of it.
      const isWhole = invitation.instance === ''
      const text = held || !isWhole ? await eventOf(workspace, message) : undefined
      const calendar = external?.id ?? ownCalendarId(member)
      if (external)
        await withCalendar(deps, null, external.id, async (remote) => {
          if (!held && isWhole) return remote.remove(invitation.uid)
          if (text === undefined) return
          const answer = invitation.state === 'open' ? 'needs-action' : invitation.state
          const event = { data: text, address: invitation.invited, answer }
          // The server may refuse it because another program has put it there already.
          await remote.put(invitation.uid, (current) =>
            heldEventAside(workspace, { ...event, current, isHeld: held, zone }),
          )
        })
      const keep = (copy: typeof invitation) => keepCopy(db, workspace, calendar, copy, clock.now())
      if (!held) await dropCopies(db, workspace, calendar, invitation)
      else if (!invitation.repeats) await keep(invitation)
      // The next look at a calendar on another server finds the occurrences there.
      else if (!external && text !== undefined) {
        const now = clock.now().getTime()
        const window = { from: new Date(now - day), to: new Date(now + aheadMs) }
        const all = await occurrencesAside(workspace, { data: text, window, zone })
        const apart = await listApart(db, workspace, found.connection, invitation.uid)
        const others = new Set(apart.map(({ instance }) => instance))
        await dropCopies(db, workspace, calendar, invitation)
        for (const { instance, startsAt, endsAt } of all.slice(0, mostOfSeries))
          if (!others.has(instance))
            await keep({
              ...invitation,
              instance,
              startsAt: startsAt.toISOString(),
              endsAt: endsAt.toISOString(),
            })
        for (const one of apart) if (isHeld(one)) await keep(one)
      }
    },
  }

  /** The event as it came with the message. */
  async function eventOf(workspace: string, message: string): Promise<string | undefined> {
    const files = await listFiles(db, workspace, message)
    const file = files.find(
      ({ type, name }) => /calendar|\/ics$/.test(type) || /\.ics$/i.test(name),
    )
    if (!file || file.size > largestEvent) return undefined
    const pieces: Buffer[] = []
    for await (const piece of readFilePieces(db, file.id, 0, file.size - 1)) pieces.push(piece)
    return Buffer.concat(pieces).toString('utf8')
  }
}
