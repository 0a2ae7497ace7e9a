import { tryOddInputs } from '../../support/odd-inputs.ts'

describe('odd inputs', function () {
  this.timeout(120_000)
  tryOddInputs({ every: 4 })
})
