import { Gauge } from 'prom-client'
import { registers } from '../telemetry/metrics.ts'

/** What a limit shows: how much is in hand, and how many wait. */
export type Shown = { inHand(): number; waiting(): number }

const limits: [name: string, shown: Shown][] = []

/** Shows a limit in the one metric of all. Several of one name count as one. */
export function showLimit(name: string, shown: Shown) {
  limits.push([name, shown])
}

new Gauge({
  name: 'postroom_limits',
  help: 'Work that is limited, by limit: how much is in hand, and how many wait for a place.',
  labelNames: ['limit', 'state'],
  registers,
  collect() {
    this.reset()
    for (const [limit, { inHand, waiting }] of limits) {
      this.inc({ limit, state: 'in_hand' }, inHand())
      this.inc({ limit, state: 'waiting' }, waiting())
    }
  },
})
