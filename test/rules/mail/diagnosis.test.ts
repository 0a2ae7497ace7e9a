import { deepEqual } from 'node:assert/strict'
import { diagnose } from '../../../rules/mail/reports/diagnosis.ts'

const of = (...texts: string[]) => {
  const { code, permanent } = diagnose(undefined, texts)
  return [code, permanent]
}

describe('what a server said about a recipient', () => {
  it('is no dead address where it refuses the recipient by a policy, and says no more', () => {
    for (const says of [
      '550 5.7.1 <kim@client.example>: Recipient address rejected: CST-Rule-41',
      '554 5.7.0 <kim@client.example>: Recipient address rejected',
      '192.0.2.25 does not like recipient.\nRemote host said: 550 5.7.1 ask our desk',
    ])
      deepEqual([says, of(says)[1]], [says, false])
  })

  it('is a dead address where it says next to the code of a policy that there is nobody', () => {
    for (const says of [
      '550 5.7.1 <kim@client.example>: Recipient address rejected: User unknown',
      '550 5.7.1 : Recipient address rejected: the address of the user is invalid',
      '192.0.2.25 does not like recipient.\nRemote host said: 550 5.7.1 no such user',
      '550 Recipient address rejected',
      '554 5.7.1 <kim@client.example>: recipient address rejected: Inactive',
      '550 5.7.1 <kim@client.example>: Recipient address\n    rejected: Inactive mailbox of a year',
      '554 5.7.1 <kim@client.example>: Recipient address rejected: Invalid-Recipient.',
      '550 5.4.1 Recipient address rejected: Access denied',
    ])
      deepEqual([says, of(says)[1]], [says, true])
  })

  it('is a policy where a server that does not know its domain takes it for mail to pass on', () => {
    for (const says of [
      "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
      "553 sorry, that domain isn't in my list of allowed rcpthosts",
      '553 you are trying to use me [mx1.relay.example] as a relay, but I do not know you',
      '550 we do not act as a relay for 192.0.2.7',
    ])
      deepEqual([says, ...of(says)], [says, '5.7.1', false])
  })

  it('has none of its reasons in an address', () => {
    for (const address of [
      'spambee@client.example',
      'rbl-policy@client.example',
      'ann@fbl.example',
    ])
      for (const says of [
        `<${address}>: 550 Mailbox unavailable`,
        `${address}\n550 Mailbox unavailable`,
        `550 ${address} is an unknown address`,
      ])
        deepEqual([says, ...of(says)], [says, '5.1.1', true])
    deepEqual(of('550 no, please write to tosa@rx.t-online.de'), ['5.7.1', false])
  })

  it('is what the code of its reply means where nothing else is said', () => {
    for (const [says, ...wanted] of [
      ['551 no', '5.1.6', true],
      ['552 no', '5.2.2', false],
      ['550 no', '5.0.0', true],
      ['551 no (in reply to end of DATA command)', '5.0.0', false],
    ] as const)
      deepEqual([says, ...of(says)], [says, ...wanted])
  })

  it('speaks of the mail, not of the address, where a server refuses another command', () => {
    for (const lines of [
      '>>> DATA\n<<< 553 a name is missing\n554 <kim@client.example>... Service unavailable',
      '553 Not you (in reply to MAIL FROM command)',
      '>>> DATA\n<<< 354 Go ahead\n>>> .\n<<< 554 not here\n554 5.0.0 Service unavailable',
    ])
      deepEqual([lines, of(lines)[1]], [lines, false])
    deepEqual(of('>>> DATA\n<<< 550 User unknown\n<<< 503 Need RCPT'), ['5.1.1', true])
  })

  it('is a server that was not reached where every exchanger was tried', () => {
    deepEqual(of('This is a permanent error.\n<kim@client.example>:\nTried all MXs'), [
      '4.4.1',
      false,
    ])
    deepEqual(of('This is a permanent error.\n<kim@client.example>:\nToo many failures (421)'), [
      '4.4.7',
      false,
    ])
  })

  it('has its reason in few words next to the address', () => {
    deepEqual(of('554 Rcpt <kim@client.example> does not exist'), ['5.1.1', true])
    deepEqual(of('551 <kim@client.example> is a deactivated mailbox'), ['5.2.1', true])
  })

  it('is an unknown address where a user has not opened a mailbox', () => {
    for (const says of ['退信原因:该用户未开通邮箱', '該用戶未開通郵箱'])
      deepEqual([says, ...of(says)], [says, '5.1.1', true])
    deepEqual(of('收件人账号未激活'), ['5.2.1', true])
    deepEqual(of('您的服务器未开通'), [null, false])
  })
})
