import { feedReaders } from '../support/readers-of-strangers.ts'

describe('code that reads the words of strangers', function () {
  this.timeout(60_000)
  feedReaders([5_000, 50_000])
})
