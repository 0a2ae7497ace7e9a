import { tryOddInputs } from '../../support/odd-inputs.ts'

describe('all odd inputs', function () {
  this.timeout(300_000)
  tryOddInputs({ every: 1 })
})
