import { equal } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

describe('a file', () => {
  it('has a test that passes', () => {})
  it('has one that fails', () => equal(1, 2))
  it('has one that sleeps', () => sleep(310))
  it('has one that is pending')

  describe('with a hook that fails', () => {
    before(() => {
      throw new Error('not today')
    })
    it('has a test that cannot run', () => {})
  })
})
