import pino from 'pino'
import { scrubbed } from './scrubbed.ts'

export type Log = pino.Logger

const errorToo = (value: unknown) => (value instanceof Error ? scrubbed(value) : value)

/**
 * JSON lines on stdout. Each call chooses what it logs: ids, codes and counts, never an address, a name or a text. An
 * error may be logged as `err` or `error`, whatever it holds: only the safe part of it reaches the line.
 */
export const createLog = (
  process: string,
  level: string,
  destination: pino.DestinationStream = toStdout(),
): Log =>
  pino(
    {
      level,
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: scrubbed, error: errorToo, cause: errorToo },
      hooks: {
        // With an error as the first argument, pino would use the error's message as that of the line.
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

// A write for each line would cost a busy process a tenth of its time.
const togetherMs = 20
const togetherBytes = 8 * 1024

/** Lines that come at nearly the same time are written together; what has not been written is written when the process exits. */
function toStdout(): pino.DestinationStream {
  const out = pino.destination({ dest: 1, minLength: togetherBytes, sync: false })
  let waits = false
  const flush = () => {
    waits = false
    out.flush()
  }
  return {
    write(line) {
      out.write(line)
      if (waits) return
      waits = true
      setTimeout(flush, togetherMs).unref()
    },
  }
}

const quietMs = 60_000

/**
 * Makes the log the only output of this process. Lines that libraries print may repeat the mail or the calendar they
 * read, with escape codes and forged lines: they are only counted, and their number is logged once a minute. An
 * uncaught error still ends the process, with a line that is safe.
 */
export function takeOverOutput(log: Log) {
  let printed = 0
  let toldAt = Number.NEGATIVE_INFINITY
  const count = () => {
    printed++
    if (performance.now() - toldAt < quietMs) return
    log.warn({ printed }, 'libraries printed lines, which are counted but not logged')
    toldAt = performance.now()
    printed = 0
  }
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const)
    console[name] = count
  // Node's own listener prints the whole warning.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'warning from Node'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught error; the process exits')
    process.exit(1)
  })
}

/**
 * What a process says of its first contact with its database: that it waits for it, and that this machine's clock differs from the
 * database's, which counts. It ends if an operator has to change something.
 */
export const tellFirstContact = (log: Log) => ({
  unavailable: () => log.warn('the database cannot be reached; retrying'),
  differs: (aheadMs: number) =>
    log.warn(
      { aheadSeconds: Math.round(aheadMs / 100) / 10 },
      "this machine's clock differs from the database's, which counts: set it right, or run NTP",
    ),
  refused(error: Error): never {
    log.fatal(error.message)
    process.exit(1)
  },
})
