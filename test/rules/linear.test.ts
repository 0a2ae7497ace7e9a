import { feedStrangers } from '../support/strangers.ts'

describe('code that reads the words of strangers', function () {
  this.timeout(60_000)
  feedStrangers({
    expressions: [200, 2_000, 20_000],
    readers: [1_000, 10_000, 100_000],
    // What keeps an expression from matching makes it try everything.
    ends: ['\u0001'],
  })
})
