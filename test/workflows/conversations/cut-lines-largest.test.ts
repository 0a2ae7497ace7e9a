import { lettersOverLines } from '../../support/letters-over-lines.ts'

describe('letters as large as they may be, over lines that break', function () {
  this.timeout(120_000)
  lettersOverLines(25 * 1024 * 1024)
})
