import { fieldsIn, valueIn } from '../../rules/mail/mime/fields.ts'
import { dateOf, idIn } from '../../rules/mail/received.ts'
import type { Head } from '../ports/mail/imap.ts'

export type PastHead = ReturnType<typeof readHead>

/** What the head of a mail says of which mail it is. The rest is read in a child process. */
export function readHead({ fields, ...head }: Head) {
  const read = fieldsIn(fields)
  const said = (name: string) => valueIn(read, name) ?? ''
  return {
    ...head,
    messageId: idIn(said('message-id')) ?? '',
    from: said('from'),
    dated: dateOf(said('date')),
  }
}
