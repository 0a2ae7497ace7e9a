import { feedExpressions } from '../support/expressions-of-strangers.ts'
import { feedReaders } from '../support/readers-of-strangers.ts'

describe('code that reads many words of strangers', function () {
  this.timeout(600_000)
  feedExpressions([1_000, 10_000, 100_000], ['', '\u0001'])
  feedReaders([1_000, 10_000, 100_000, 1_000_000])
})
