import type { Family } from './family.ts'

/** A list tells its owner that it has received a bounce, and what follows is that bounce. */
export const passesOnBounce = 'has been identified as a possible delivery error notice'

/** Programs that send a letter on to many, by mail or by fax. */
export const lists: Family[] = [
  {
    name: 'mailing lists and groups',
    opens: [
      'you are not a member of this mailing list',
      'you are not authorized to send mail to',
      'not member article from',
      'mail may loop and did not distribute it',
      'the group you tried to contact',
      'the group that you tried to contact',
      'loop back warning',
      'has detected a loop condition',
      'you are not allowed to post to this mailing list',
      'you may not have permission to post messages to the group',
    ],
  },
  {
    name: 'LISTSERV, LMail',
    opens: [
      'an error was detected while processing the enclosed message',
      passesOnBounce,
      'your message is being returned to you unprocessed',
    ],
    cuts: ['----------------- message in error'],
  },
]
