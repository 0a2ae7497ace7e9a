import './blob.ts'
import { serve } from '../../aside/serve.ts'
import { listEvents, occurrencesOf } from '../calendar/answers.ts'
import { readMail } from '../inbox/read-mail.ts'

// The process in which mail and calendars are taken apart.

serve({
  mail: ({ arrivedAt }: { arrivedAt: Date }, raw) => readMail(raw, arrivedAt),
  listEvents,
  occurrencesOf,
})
