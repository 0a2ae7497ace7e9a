import { lettersOut } from '../../support/letters-over-lines.ts'

describe('letters over lines that break', function () {
  this.timeout(120_000)
  lettersOut(2 * 1024 * 1024)
})
