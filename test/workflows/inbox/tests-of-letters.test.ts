import { deepEqual, equal, ok } from 'node:assert/strict'
import { givenLetter, mailRoom } from '../../support/given-letter.ts'

describe('a test of a letter that comes into a mailbox', function () {
  this.timeout(90_000)
  const room = mailRoom()

  it('is for its reader alone: it opens no conversation and makes nobody a client', async () => {
    const given = await givenLetter(room)
    const { call, campaign, person, to } = given
    const [member] = (await call('GET', '/members')).body.members
    const path = `/campaigns/${campaign}/letters`
    const templates = [{ place: 3, subject: 'The last one', text: 'Hello {{ person.name }}' }]
    equal((await call('POST', path, { templates })).status, 200)
    const test = { place: 3, person, to: member.email }
    const tested = await call('POST', path, { test })
    deepEqual([tested.status, tested.body.test?.state], [200, 'sent'], tested.text)
    const letter = room.mail.messages().find(({ subject }) => subject?.startsWith('[Test]'))
    ok(letter)
    const before = (await given.conversations()).map(({ id }) => id)
    await given.deliver({ envelope: { from: to, to }, raw: letter.raw })
    const shown = await given.bring({ from: 'new@client.example', to, subject: 'Hi', text: 'Hi.' })
    equal(shown.subject, 'Hi')
    equal((await given.conversations()).length, before.length + 1)
    equal((await given.received()).length, 1)
    // A ticket system gives its answer the id of what it answers.
    const messageId = letter.messageId ?? ''
    const answer = { from: given.email, to, messageId, subject: 'Ticket 4711', text: 'Thanks.' }
    equal((await given.bring(answer)).subject, 'Ticket 4711')
  })
})
