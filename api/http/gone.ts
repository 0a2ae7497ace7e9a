import type { Context } from 'koa'

/** Aborted when the caller has gone. */
export function goneOf({ res }: Context): AbortSignal {
  const gone = new AbortController()
  if (res.closed) gone.abort()
  else res.once('close', () => gone.abort())
  return gone.signal
}
