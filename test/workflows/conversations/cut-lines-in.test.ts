import { lettersIn } from '../../support/letters-over-lines.ts'

describe('letters over lines that break', function () {
  this.timeout(120_000)
  lettersIn(2 * 1024 * 1024)
})
