import { type PageInput, safePage } from '../../rules/mail/html/page.ts'
import { serve } from './serve.ts'

// The process that makes pages of strangers safe to show.

serve({ page: (input: PageInput) => safePage(input) })
