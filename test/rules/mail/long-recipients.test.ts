import { deepEqual } from 'node:assert/strict'
import { addressesIn } from '../../../rules/mail/reports/addresses.ts'
import { type Notice, recipientsIn } from '../../../rules/mail/reports/notice.ts'

describe('a recipient with more than 64 octets before its @', () => {
  const long = `reply+${'0f'.repeat(40)}@tickets.example`

  it('is found in the words of servers', () => {
    deepEqual(addressesIn(`550 5.1.1 <${long}>: no such user`), [long])
    const said = `I could not deliver your message.\n\n<${long}>:\nThis user does not exist.\n`
    deepEqual(
      recipientsIn({ said } as Notice, () => false),
      [long],
    )
  })
})
