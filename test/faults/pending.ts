import type { Context } from 'mocha'
import { TemporalMissing } from '../../dev/stack/temporal.ts'

/** Skips where no Temporal server can be had; any other error is one. */
export const withoutTemporal = (context: Context | undefined) => (error: unknown) => {
  if (context && error instanceof TemporalMissing) return context.skip()
  throw error
}
