import './blob.ts'
import { serve } from '../../aside/serve.ts'
import { readMail } from '../inbox/read-mail.ts'
import { listEvents, occurrencesOf } from '../ports/calendar/answers.ts'

// The child process that parses mail and calendars.

serve({
  mail: ({ arrivedAt }: { arrivedAt: Date }, raw) => readMail(raw, arrivedAt),
  listEvents,
  occurrencesOf,
})
