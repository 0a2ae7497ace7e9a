import './blob.ts'
import { serve } from '../../process/children/serve.ts'
import { readMail } from '../../rules/mail/read.ts'
import { listEvents, occurrencesOf } from '../ports/calendar/answers.ts'
import { heldEvent } from '../ports/calendar/held-event.ts'
import { movedEvent } from '../ports/calendar/merged-event.ts'

// The child process that parses mail and calendars.

serve({
  mail: ({ arrivedAt, zone }: { arrivedAt: Date; zone: string }, raw) =>
    readMail(raw, arrivedAt, zone),
  listEvents,
  occurrencesOf,
  heldEvent,
  movedEvent,
})
