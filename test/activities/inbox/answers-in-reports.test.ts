import { deepEqual } from 'node:assert/strict'
import { daemon, kim, kindOf } from '../../support/lines-of-mail.ts'

describe('the answer of another server', () => {
  it('goes on over all lines that are indented', async () => {
    const said = [
      `<${kim}>: host`,
      '    mx1.client.example[192.0.2.25] said: 554 5.7.1',
      `    <${kim}>: Recipient address rejected: the user`,
      '    kim does not exist (in reply to RCPT TO command)',
    ]
    deepEqual(await kindOf(daemon, 'Subject: Undelivered Mail', '', ...said), [
      ...['bounce', '5.7.1', true],
      kim,
    ])
  })

  it('does not go on over what is said of the next recipient', async () => {
    const said = [
      `  ${kim}`,
      '    550 5.7.1 ask our desk',
      '  eva@client.example',
      '    No such user',
    ]
    deepEqual((await kindOf(daemon, 'Subject: Undelivered Mail', '', ...said))?.slice(0, 3), [
      ...['bounce', '5.7.1', false],
    ])
  })
})
