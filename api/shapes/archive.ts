import { z } from 'zod'
import { findNewestArchive } from '../../db/archive/archives.ts'
import type { Db } from '../../db/database.ts'
import { isoOrNull, withValues } from './shapes.ts'

export const Archive = z
  .object({
    state: z.enum(['none', 'running', 'done', 'declined']).describe(
      withValues('The state of the parse.', {
        none: 'it has not been started',
        running: 'it is in progress',
        done: 'everything has been parsed',
        declined: 'it was declined, or stopped before its end',
      }),
    ),
    since: z
      .string()
      .nullable()
      .describe('The first day whose correspondence is parsed; null for all.'),
    channels: z.array(z.string()).describe('The ids of the connections whose history is parsed.'),
    groups: z.boolean().describe('Whether messenger groups are included.'),
    fresh: z.boolean().describe('Whether correspondence is parsed for new products too.'),
    progress: z
      .object({
        done: z.number().describe('The number of parsed messages.'),
        total: z.number().nullable().describe('The number of messages in all; null while unknown.'),
      })
      .describe('The progress of the parse.'),
    startedAt: z.string().nullable().describe('When the parse started; null until then.'),
    endedAt: z.string().nullable().describe('When the parse ended; null until then.'),
    operation: z
      .string()
      .nullable()
      .describe('The key of the call that started it; null if none did.'),
  })
  .meta({ id: 'Archive' })

/**
 * The state of the newest parse of the archive; the operation is given by its key. `own` is the operation of the call that
 * asks, whose row is written after its answer.
 */
export async function presentArchive(
  db: Db,
  workspace: string,
  own?: { id: string; key: string },
): Promise<z.input<typeof Archive>> {
  const row = await findNewestArchive(db, workspace)
  return {
    state: row?.state ?? 'none',
    since: row?.since ?? null,
    channels: row?.channels ?? [],
    groups: row?.groups ?? false,
    fresh: row?.fresh ?? false,
    progress: { done: row?.done ?? 0, total: row?.total ?? null },
    startedAt: isoOrNull(row?.startedAt),
    endedAt: isoOrNull(row?.endedAt),
    operation: row?.key ?? (own && row?.operation === own.id ? own.key : null),
  }
}
