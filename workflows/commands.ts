import type { SignalDefinition } from '@temporalio/workflow'
import type * as workflows from './index.ts'
import type { changed, retryNowAll } from './signals.ts'
import type { troubled } from './waiting.ts'

// Tells the outbox which workflows can be started and which signals they take, so that a misspelt name or argument does not
// compile. The outbox itself imports nothing from here. These are types alone, and no process loads this file.

type ByName = typeof workflows
type Signal = typeof changed | typeof retryNowAll | typeof troubled
type ArgsByName = {
  [S in Signal as S['name']]: S extends SignalDefinition<infer Args, string> ? Args : never
}

declare module '../db/operations/outbox.ts' {
  interface Workflows extends ByName {}
  interface Signals extends ArgsByName {}
}
