import './blob.ts'
import { serve } from '../../aside/serve.ts'
import { readMail } from '../inbox/read-mail.ts'
import { listEvents, occurrencesOf } from '../ports/calendar/answers.ts'

// The process in which mail and calendars are taken apart.

serve({
  mail: ({ arrivedAt }: { arrivedAt: Date }, raw) => readMail(raw, arrivedAt),
  listEvents,
  occurrencesOf,
})
