import { deepEqual } from 'node:assert/strict'
import { givenLetter, mailRoom } from '../../support/given-letter.ts'
import * as reports from '../../support/reports.ts'

// Mail servers write a domain in ASCII where people write it in Unicode.

describe('a person whose domain is written in Unicode', function () {
  this.timeout(90_000)
  const room = mailRoom()

  async function given() {
    const letter = await givenLetter(room, { domain: 'müller.example' })
    return { ...letter, inAscii: letter.email.replace('müller', 'xn--mller-kva') }
  }

  it('is who answers from the domain in ASCII, and gets no more letters', async () => {
    const { call, email, inAscii, to, states, deliver } = await given()
    await deliver({ from: inAscii, to, subject: 'Something else', text: 'Call me.' })
    deepEqual(await states(), ['sent', 'failed replied'])
    const { people } = (await call('GET', '/people')).body
    deepEqual(
      people.map((one: { email: string }) => one.email),
      [email],
    )
  })

  it('is not written to again when a report names the address in ASCII', async () => {
    const { call, email, inAscii, to, letter, states, deliver } = await given()
    await deliver(reports.bounce({ to, recipient: inAscii, letter, status: '5.1.1' }))
    deepEqual(await states(), ['failed bounced', 'failed bounced'])
    const { suppressions } = (await call('GET', `/suppressions?address=${inAscii}`)).body
    deepEqual(
      suppressions.map((one: { address: string; reason: string }) => [one.address, one.reason]),
      [[email, 'bounce']],
    )
  })
})

describe('a person whose address is written with a character that nobody sees', function () {
  this.timeout(90_000)
  const room = mailRoom()

  it('is who answers with it, and gets no more letters', async () => {
    const { call, email, to, states, deliver } = await givenLetter(room)
    const from = email.replace('@', '\u200b@')
    await deliver({ from, to, subject: 'Something else', text: 'Call me.' })
    deepEqual(await states(), ['sent', 'failed replied'])
    const { people } = (await call('GET', '/people')).body
    deepEqual(
      people.map((one: { email: string }) => one.email),
      [email],
    )
  })
})

describe('a person whose address has more than 64 octets before its @', function () {
  this.timeout(90_000)
  const room = mailRoom()

  it('has a card with it, is answered, and is known by it again', async () => {
    const { call, to, deliver } = await givenLetter(room)
    const from = `reply+${'0f'.repeat(40)}@tickets.example`
    await deliver({ from, to, subject: 'A ticket', text: 'Call me.' })
    const { people } = (await call('GET', '/people')).body
    const [person] = people.filter((one: { email: string }) => one.email === from)
    deepEqual(person?.emails, [from])
    const { conversations } = (await call('GET', `/conversations?person=${person.id}`)).body
    const answer = await call('POST', `/conversations/${conversations[0].id}/messages`, {
      text: 'Gladly.',
    })
    deepEqual([answer.status, answer.body.to], [200, from], answer.text)
    await deliver({ from, to, subject: 'Another ticket', text: 'Thanks.' })
    deepEqual((await call('GET', '/people')).body.people.length, people.length)
  })
})
