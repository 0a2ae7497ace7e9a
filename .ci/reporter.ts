import { writeFileSync } from 'node:fs'
import Mocha, { type MochaOptions, type Runner } from 'mocha'

/** The usual report, and mocha's own counts in the file that `--reporter-option output=FILE` names. */
export default class Counting extends Mocha.reporters.Spec {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options)
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats
      writeFileSync(options.reporterOptions.output, `${passes} ${failures} ${pending}\n`)
    })
  }
}
