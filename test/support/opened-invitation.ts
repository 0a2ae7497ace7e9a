import { sync, type VEvent } from 'node-ical'
import PostalMime from 'postal-mime'
import type { Message } from './mail.ts'

/** The iCalendar part of a mail, as a calendar program reads it. */
export async function opened({ raw }: Message) {
  const { attachments } = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' })
  const part = attachments.find(({ mimeType }) => mimeType === 'text/calendar')
  const file = attachments.find(({ filename }) => filename === 'invite.ics')
  const text = String(part?.content)
  const parsed = sync.parseICS(text)
  const components = Object.values(parsed)
  const event = components.find((component) => component?.type === 'VEVENT') as VEvent
  const zone = components.find((component) => component?.type === 'VTIMEZONE')
  return { text, event, zone, method: parsed.vcalendar?.method, part, file }
}
