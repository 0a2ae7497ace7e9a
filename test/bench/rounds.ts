// Rounds of ours and of a floor in turn, so that a noisy machine is noisy for both. What is worth comparing between versions is
// the ratio; a higher one is better.

/** What one round carried out: units a second, and how long each took where that was measured, in milliseconds. */
export type Round = { perSecond: number; times?: number[] }

export type Side = () => Promise<Round>

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export const median = (values: number[]) => quantile(values, 0.5)

/** Carries out both in turn, each first as often as the other, and prints the ratio. Returns the rounds of each. */
export async function compare(
  name: string,
  { ours, floor }: { ours: Side; floor: Side },
  { rounds, warm = true }: { rounds: number; warm?: boolean },
) {
  if (warm) {
    await ours()
    await floor()
  }
  const done: { ours: Round[]; floor: Round[] } = { ours: [], floor: [] }
  for (let i = 0; i < rounds; i++)
    for (const side of i % 2 === 0 ? (['ours', 'floor'] as const) : (['floor', 'ours'] as const))
      done[side].push(await (side === 'ours' ? ours : floor)())
  print(name, done.ours, done.floor)
  return done
}

const short = (value: number) =>
  Number.isNaN(value) ? '–' : value >= 100 ? value.toFixed(0) : value.toPrecision(3)

/** Ratios of rounds that were carried out in pairs, as minimum, median and maximum, then both sides. */
export function print(name: string, ours: Round[], floor: Round[]) {
  const ratios = ours.map(({ perSecond }, i) => perSecond / (floor[i]?.perSecond ?? Number.NaN))
  const [low, middle, high] = [0, 0.5, 1].map((share) => quantile(ratios, share).toFixed(2))
  console.log(
    `${name.padEnd(46)} ${`${low} [${middle}] ${high}`.padEnd(22)} ${sideOf(ours).padEnd(30)} ${sideOf(floor)}`,
  )
}

export const printHead = () =>
  console.log(
    `${''.padEnd(46)} ${'ratio: min [median] max'.padEnd(22)} ${'ours'.padEnd(30)} ${'floor'}`,
  )

/** A line for what has no floor. */
export const printAlone = (name: string, rounds: Round[]) =>
  console.log(`${name.padEnd(46)} ${''.padEnd(22)} ${sideOf(rounds)}`)

function sideOf(rounds: Round[]): string {
  const times = rounds.flatMap(({ times = [] }) => times)
  const rate = `${short(median(rounds.map(({ perSecond }) => perSecond)))}/s`
  if (times.length === 0) return rate
  return `${rate}, p50 ${short(median(times))}, p99 ${short(quantile(times, 0.99))} ms`
}
