import pino from 'pino'
import { scrubbed } from './scrubbed.ts'

export type Log = pino.Logger

const errorToo = (value: unknown) => (value instanceof Error ? scrubbed(value) : value)

/**
 * JSON lines on stdout. What is logged is chosen at each call: ids, codes and counts, never an address, a name or a text. An
 * error is logged as `err` or `error`, whatever it holds: of it only what is safe gets into the line.
 */
export const createLog = (
  process: string,
  level: string,
  destination: pino.DestinationStream = pino.destination(1),
): Log =>
  pino(
    {
      level,
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: scrubbed, error: errorToo, cause: errorToo },
      hooks: {
        // An error in the first place would have its message made the line's.
        logMethod(args, method) {
          const [first, ...rest] = args as unknown[]
          if (!(first instanceof Error)) return method.apply(this, args)
          const text = typeof rest[0] === 'string' ? rest[0] : 'an error'
          return method.apply(this, [{ err: first }, text])
        },
      },
    },
    destination,
  )

const quietMs = 60_000

/**
 * Makes the log the only thing this process writes. What libraries print may repeat the mail or the calendar they read, escape
 * codes and forged lines included: it is counted, and told by its number once a minute. What nobody caught ends the process as
 * it would have, with a line that is safe.
 */
export function takeOverOutput(log: Log) {
  let printed = 0
  let toldAt = Number.NEGATIVE_INFINITY
  const count = () => {
    printed++
    if (performance.now() - toldAt < quietMs) return
    log.warn({ printed }, 'libraries printed lines; their words are not logged')
    toldAt = performance.now()
    printed = 0
  }
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const)
    console[name] = count
  // Node's own listener prints them whole.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'the runtime warns'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'nobody caught this; the process ends')
    process.exit(1)
  })
}
