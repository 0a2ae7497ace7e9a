import pino from 'pino'

export type Log = pino.Logger

/**
 * JSON lines on stdout. What is logged is chosen at each call: ids, codes and counts, never an address, a name or a text.
 */
export const createLog = (process: string, level: string): Log =>
  pino({ level, base: { process }, timestamp: pino.stdTimeFunctions.isoTime })
