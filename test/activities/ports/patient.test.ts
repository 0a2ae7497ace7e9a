import { deepEqual } from 'node:assert/strict'
import { composeLetter } from '../../../activities/ports/mail/compose.ts'
import { openSmtp } from '../../../activities/ports/mail/smtp.ts'
import { scriptedSmtp } from '../../support/smtp-server/server.ts'

describe('a mail server that looks through a letter before it answers', function () {
  this.timeout(120_000)

  it('has more than a minute for it, however small the letter is', async () => {
    const server = await scriptedSmtp([{ stage: 'dot', answer: { lateMs: 70_000 } }])
    const session = await openSmtp(server.settings('ana'), 'secret')
    const handover = await session.send(
      await composeLetter({
        ...{ from: { name: 'Ana', address: 'ana@us.example' }, to: 'kim@client.example' },
        ...{ subject: 'Hello', text: 'Hello', messageId: '<a@us.example>', inReplyTo: null },
        ...{ references: [], automated: false, date: new Date() },
      }),
    )
    session.close()
    deepEqual(handover, { kind: 'accepted' })
  })
})
