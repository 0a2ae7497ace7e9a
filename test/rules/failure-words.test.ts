import { equal } from 'node:assert/strict'
import { failureWords, guestWords, serverWords, whyFailed } from '../../rules/failure-words.ts'

describe('what a member reads about a letter that did not arrive', () => {
  const letter = {
    id: 'msg_1',
    subject: 'Offer',
    to: 'leo@client.example',
    account: 'ana@us.example',
  }

  it('names the letter, the recipient, the account, the reason and what can be done', () => {
    equal(
      failureWords(letter, { reason: 'refused', code: '5.1.1', said: '550 5.1.1 No such user' }),
      'The message “Offer” to leo@client.example from ana@us.example was not sent: the mail server refused it (5.1.1): ' +
        '“550 5.1.1 No such user”. Check the address. Then send it anew: POST /messages/msg_1/again.',
    )
    equal(
      failureWords({ ...letter, subject: '' }, { reason: 'suppressed' }),
      'The message to leo@client.example from ana@us.example was not sent: the address must not be written to any more.',
    )
  })

  it('names a reason without a code or words too', () => {
    equal(whyFailed({ reason: 'undeliverable' }), 'no mail server took it within four days')
    equal(whyFailed({ reason: 'odd' }), 'it failed (odd)')
  })

  it('names the meeting and the guest of an invitation', () => {
    const invitation = { title: 'Demo', address: 'leo@client.example', method: 'request' } as const
    equal(
      guestWords(invitation, { reason: 'bounced', code: '5.1.1' }),
      'The invitation to “Demo” for leo@client.example did not arrive: it came back (5.1.1). Check the address.',
    )
  })

  it('has the words of the server in one line, without what harms, and not too long', () => {
    const lines =
      '550-5.4.5 Daily user sending limit exceeded.\r\n550-5.4.5 Read\u202e more\u0007\r\n550 5.4.5 at x'
    equal(serverWords(lines), '550 5.4.5 Daily user sending limit exceeded. Read more at x')
    equal(serverWords('x'.repeat(1_000))?.length, 401)
    for (const nothing of ['', '\r\n', null, undefined]) equal(serverWords(nothing), null)
  })
})
