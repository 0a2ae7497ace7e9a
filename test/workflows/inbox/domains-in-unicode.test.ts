import { deepEqual, equal, ok } from 'node:assert/strict'
import { givenCampaign } from '../../support/given-campaign.ts'
import { mailRoom, type Touch } from '../../support/given-letter.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import * as reports from '../../support/reports.ts'
import { eventually } from '../../support/service.ts'

// Mail servers write a domain in ASCII where people write it in Unicode.

describe('a person whose domain is written in Unicode', function () {
  this.timeout(90_000)
  const room = mailRoom()
  const domain = 'müller.example'
  const encoded = 'xn--mller-kva.example'

  async function given() {
    const { service, mail } = room
    const campaign = await givenCampaign(service, mail.sink, { people: 1 })
    const { call, connections, people, emails } = campaign
    const name = String(emails[0]).split('@')[0]
    const email = `${name}@${domain}`
    equal((await call('PATCH', `/people/${people[0]}`, { emails: [email] })).status, 200)
    await givenMailboxes(service, mail, connections)
    await campaign.move('running')
    await eventually(campaign.touches, (all: Touch[]) => all.length === 2, 20_000)
    const [letter] = mail.sink.messages().filter(({ to }) => to[0] === email)
    ok(letter)
    const states = async () =>
      ((await campaign.touches()) as Touch[])
        .sort((a, b) => a.place - b.place)
        .map(({ state, reason }) => (reason ? `${state} ${reason}` : state))
    const send = mailProgram(mail)
    return { ...campaign, email, inAscii: `${name}@${encoded}`, letter, states, send }
  }

  it('is who answers from the domain in ASCII, and gets no more letters', async () => {
    const { call, email, inAscii, letter, states, send } = await given()
    await send({ from: inAscii, to: letter.from, subject: 'Something else', text: 'Call me.' })
    await eventually(states, ([, next]) => next !== 'queued', 30_000)
    deepEqual(await states(), ['sent', 'failed replied'])
    const { people } = (await call('GET', '/people')).body
    deepEqual(
      people.map((one: { email: string }) => one.email),
      [email],
    )
  })

  it('is not written to again when a report names the address in ASCII', async () => {
    const { call, email, inAscii, letter, states, send } = await given()
    const recipient = inAscii
    await send(reports.bounce({ to: letter.from, recipient, letter, status: '5.1.1' }))
    await eventually(states, ([, next]) => next !== 'queued', 30_000)
    deepEqual(await states(), ['failed bounced', 'failed bounced'])
    const { suppressions } = (await call('GET', `/suppressions?address=${inAscii}`)).body
    deepEqual(
      suppressions.map((one: { address: string; reason: string }) => [one.address, one.reason]),
      [[email, 'bounce']],
    )
  })
})
