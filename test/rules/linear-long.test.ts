import { feedStrangers } from '../support/strangers.ts'

describe('code that reads many words of strangers', function () {
  this.timeout(600_000)
  feedStrangers({
    expressions: [1_000, 10_000, 100_000],
    readers: [1_000, 10_000, 100_000, 1_000_000],
    ends: ['', '\u0001'],
  })
})
