import { feedStrangers } from '../support/strangers.ts'

describe('code that reads the words of strangers', function () {
  this.timeout(60_000)
  feedStrangers({
    expressions: [1_000, 10_000],
    readers: [5_000, 50_000],
    // What keeps an expression from matching makes it try everything.
    ends: ['\u0001'],
  })
})
