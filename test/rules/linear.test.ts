import { feedExpressions } from '../support/expressions-of-strangers.ts'

describe('code that reads the words of strangers', function () {
  this.timeout(60_000)
  // What keeps an expression from matching makes it try everything.
  feedExpressions([1_000, 10_000], ['\u0001'])
})
