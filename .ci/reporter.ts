import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import Mocha, { type MochaOptions, type Runner } from 'mocha'

/**
 * The usual report. `--reporter-option output=FILE` names a file that gets mocha's own counts in its first line, and below it each
 * file in which a test has failed, with the number of failures.
 */
export default class Counting extends Mocha.reporters.Spec {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options)
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats
      const failed = Map.groupBy(this.failures, ({ file = '' }) => relative('.', file))
      const lines = [...failed].map(([file, tests]) => `${tests.length} ${file}`)
      writeFileSync(
        options.reporterOptions.output,
        `${[`${passes} ${failures} ${pending}`, ...lines].join('\n')}\n`,
      )
    })
  }
}
