import { deepEqual } from 'node:assert/strict'
import { foldersToRead } from '../../rules/mailbox-folders.ts'

describe('the folders of a mailbox that are read', () => {
  /** Each as `path` or `path \Use`. */
  const read = (listed: string[], leaveOut?: string[]) =>
    foldersToRead(
      listed.map((one) => {
        const [path = '', use = null] = one.split(' ')
        return { path, use }
      }),
      leaveOut,
    ).map(({ path, kind }) => `${kind} ${path}`)

  const cases: [what: string, listed: string[], leaveOut: string[], read: string[]][] = [
    [
      'are all, the Inbox first and Sent last',
      ['Sent \\Sent', 'Clients', 'Junk \\Junk', 'INBOX', 'Archive \\Archive'],
      [],
      ['inbox INBOX', 'other Clients', 'other Archive', 'junk Junk', 'sent Sent'],
    ],
    [
      'are not Trash, Drafts and what lies in them',
      ['INBOX', 'Trash \\Trash', 'Trash/Old', 'Drafts \\Drafts', 'Trashed'],
      [],
      ['inbox INBOX', 'other Trashed'],
    ],
    [
      'are Sent, Junk and the folder of all mail, where there is one, and the Inbox is waited in',
      ['INBOX', 'Work', 'G/All \\All', 'G/Sent \\Sent', 'G/Spam \\Junk', 'G/Starred \\Flagged'],
      [],
      ['waiting INBOX', 'other G/All', 'junk G/Spam', 'sent G/Sent'],
    ],
    [
      'are all again if the folder of all mail is left out',
      ['INBOX', 'Work', 'All \\All'],
      ['All'],
      ['inbox INBOX', 'other Work'],
    ],
    [
      'are not those that the operator leaves out, in any case and with what lies in them',
      ['INBOX', 'INBOX.Lists', 'INBOX.Lists.News', 'INBOX.Listserv'],
      ['inbox.lists'],
      ['inbox INBOX', 'other INBOX.Listserv'],
    ],
    [
      'are not those of a special use that the operator leaves out',
      ['INBOX', 'Spamverdacht \\Junk'],
      ['\\Junk'],
      ['inbox INBOX'],
    ],
    ['are the Inbox at least', ['Inbox', 'Inbox/Clients'], ['INBOX'], ['inbox Inbox']],
  ]
  for (const [what, listed, leaveOut, found] of cases)
    it(what, () => deepEqual(read(listed, leaveOut), found))
})
