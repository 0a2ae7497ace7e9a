import { ok } from 'node:assert/strict'
import { runStubs } from '../../support/stub-runner.ts'

// The real runner over stub activities: what a long campaign costs in history and memory.

const sittings = Number(process.env['SCALE_SITTINGS'] ?? 900)
// The server ends a run at 51,200; it suggests a new one from 4,096 on.
const eventsLimit = 5_000
const growthLimit = 150
const megabyte = 1024 * 1024

describe('a runner', function () {
  this.timeout(120_000 + sittings * 1000)

  it(`serves any number of sittings within a history and its memory (${sittings} here)`, async function () {
    const memory: number[] = []
    const started = performance.now()
    const sampling = setInterval(() => {
      memory.push(process.memoryUsage().rss / megabyte)
      if (memory.length % 60 === 0) console.log(`      ${memory.at(-1)?.toFixed(0)} MB`)
    }, 1000)
    const lengths = await runStubs(this, sittings)
    clearInterval(sampling)

    const seconds = (performance.now() - started) / 1000
    ok(lengths.length > 1, 'it never continued as new')
    const longest = Math.max(...lengths)
    ok(longest < eventsLimit, `${longest} events in one run`)
    const quarter = Math.ceil(memory.length / 4)
    const mean = (part: number[]) => part.reduce((sum, size) => sum + size, 0) / part.length
    const [early, late] = [mean(memory.slice(quarter, 2 * quarter)), mean(memory.slice(-quarter))]
    ok(late < early + growthLimit, `memory grew from ${early.toFixed(0)} to ${late.toFixed(0)} MB`)
    console.log(
      `      ${sittings} sittings in ${seconds.toFixed(0)} s (${(sittings / seconds).toFixed(1)} a second), ` +
        `${lengths.length} runs, at most ${longest} events, memory ${early.toFixed(0)} then ${late.toFixed(0)} MB`,
    )
  })
})
