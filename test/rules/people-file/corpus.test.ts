import { deepEqual, equal } from 'node:assert/strict'
import { cardsOf } from '../../support/people-cards.ts'
import { fileOfPeople, type Someone } from '../../support/people-corpus.ts'

const files = 300

const namesNothing = new Set(['Mailchimp', 'Brevo'])
const expected = (what: string, person: Someone) => {
  const { first, last, phone, company, title, stop } = person
  const emails = person.office ? [] : person.emails
  const isBare = [...namesNothing].some((program) => what.includes(program))
  return {
    name: `${first} ${last}`,
    company: isBare ? '' : company,
    jobTitle: isBare ? '' : title,
    phones: what.includes('LinkedIn') ? [] : [phone.replaceAll(' ', '')],
    ...{ emails, stop },
  }
}

describe(`${files} files of people in the dialects of other programs`, () => {
  it('make one card of each person, with their own addresses, and stop whom they say', async () => {
    let people = 0
    let stopped = 0
    const wrong: unknown[] = []
    for (let n = 0; n < files; n++) {
      const made = fileOfPeople(n)
      people += made.people.length
      stopped += made.people.filter(({ stop }) => stop !== undefined).length
      const read = await cardsOf(made.content)
      const cards =
        typeof read === 'string' ? read : read.map(({ city, profiles, ...card }) => card)
      try {
        deepEqual(
          cards,
          made.people.map((one) => expected(made.what, one)),
        )
      } catch {
        wrong.push({ what: made.what, cards })
      }
    }
    deepEqual(wrong, [])
    equal(people > 1500 && stopped > 200, true, `${people} people, ${stopped} stopped`)
  }).timeout(120_000)
})
