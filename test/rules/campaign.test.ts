import { deepEqual, equal } from 'node:assert/strict'
import { mayWrite, unfitLevels } from '../../rules/budgets.ts'
import {
  type CampaignState,
  hasBegun,
  lastPlace,
  moves,
  places,
  planWith,
  presentLetter,
  unagreedOf,
  usualPlan,
  waitingSentences,
  weekdaysBefore,
} from '../../rules/campaign.ts'

describe('the state of a campaign', () => {
  const states: [state: CampaignState, to: CampaignState[], begun: boolean][] = [
    ['draft', ['running'], false],
    ['running', ['paused', 'done'], true],
    ['paused', ['running', 'done'], true],
    ['done', [], false],
  ]
  for (const [state, to, begun] of states)
    it(`${state} moves to ${to.join(' or ') || 'nothing'}`, () => {
      deepEqual(moves[state], to)
      equal(hasBegun(state), begun)
    })
})

describe('the places of letters', () => {
  const agreements: [agreed: number[], unagreed: number[]][] = [
    [[], [1, 2, 3]],
    [[3, 1], [2]],
    [[1, 2, 3], []],
  ]
  for (const [agreed, unagreed] of agreements)
    it(`${unagreed.join(', ') || 'none'} are left where ${agreed.join(', ') || 'none'} are agreed`, () =>
      deepEqual(unagreedOf(agreed), unagreed))

  it('keep their weekdays when a plan changes, and wait as usual where they had none', () => {
    deepEqual(planWith(usualPlan, {}), { places: 3, waitDays: [3, 5] })
    deepEqual(planWith({ places: 2, waitDays: [4] }, { places: 3 }), {
      ...{ places: 3, waitDays: [4, 5] },
    })
    deepEqual(planWith(usualPlan, { places: 1 }), { places: 1, waitDays: [] })
  })

  it('follow after the weekdays of the plan', () => {
    const plan = { places: 2, waitDays: [4] }
    deepEqual(
      [1, 2, 3].map((place) => weekdaysBefore(place, plan)),
      [undefined, 4, undefined],
    )
  })

  it('end with the last', () => equal(places.at(-1), lastPlace))
})

describe('an example letter', () => {
  it('is shown without the columns that only the database needs', () => {
    const shown = { place: 1, subject: 'Boats', text: 'Hello', agreed: false }
    const row = { ...shown, campaign: 'cam_1', brief: 2, writtenAt: new Date(0) }
    deepEqual(presentLetter(row), { ...shown, writtenAt: '1970-01-01T00:00:00.000Z' })
  })
})

describe('what a runner waits for', () => {
  for (const [word, sentence] of Object.entries(waitingSentences))
    it(`is described in a sentence: ${word}`, () => equal(/^[A-Z].*\.$/.test(sentence), true))
})

describe('the health of an account', () => {
  const levels: [level: string, fit: boolean][] = [
    ['normal', true],
    ['caution', true],
    ['unknown', true],
    ['restricted', false],
    ['blocked', false],
  ]
  for (const [health, fit] of levels)
    it(`${fit ? 'allows' : 'forbids'} campaign letters when it is ${health}`, () => {
      equal(unfitLevels.includes(health), !fit)
      equal(mayWrite({ alive: true, health }), fit)
      equal(mayWrite({ alive: false, health }), false)
    })
})
