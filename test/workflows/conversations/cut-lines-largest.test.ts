import { lettersIn, lettersOut } from '../../support/letters-over-lines.ts'

const size = 25 * 1024 * 1024

describe('letters as large as they may be, over lines that break', function () {
  this.timeout(120_000)
  lettersOut(size)
  lettersIn(size)
})
