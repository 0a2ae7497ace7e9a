import Mocha, { type MochaOptions, type Runner } from 'mocha'

export const states = ['passed', 'failed', 'pending'] as const

export type TestResult = {
  title: string
  state: (typeof states)[number]
  ms: number
  /** How often it was tried again (`this.retries`) before it had this result. */
  retried: number
  /** Of a failure: the message with the place. */
  error?: string
}

export const countOf = (tests: TestResult[], state: TestResult['state']) =>
  tests.filter((test) => test.state === state).length

/** Keeps the results instead of printing them; `reporterOptions.take` is called with them at the end. */
export class Keeping extends Mocha.reporters.Base {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options)
    const results: TestResult[] = []
    runner.on('pass', (test) => keep(test, 'passed'))
    runner.on('pending', (test) => keep(test, 'pending'))
    // A hook that fails stands for the tests that it keeps from running.
    runner.on('fail', (test, error) => keep(test, 'failed', error))
    runner.once('end', () => options.reporterOptions.take(results))

    function keep(test: Mocha.Runnable, state: TestResult['state'], error?: Error) {
      const retried = (test as unknown as { _currentRetry?: number })._currentRetry ?? 0
      results.push({
        title: test.fullTitle(),
        state,
        ms: Math.round(test.duration ?? 0),
        retried,
        ...(error && { error: textOf(error) }),
      })
    }
  }
}

function textOf(error: Error & { actual?: unknown; expected?: unknown }): string {
  const stack = error.stack ?? String(error)
  if (!('expected' in error) || stack.includes('+ actual')) return stack
  return `${stack}\n${Mocha.reporters.Base.generateDiff(text(error.actual), text(error.expected))}`
}

const text = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? String(value))
