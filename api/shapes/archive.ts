import { z } from 'zod'
import { findNewestArchive } from '../../db/archive/archives.ts'
import type { Db } from '../../db/database.ts'
import { isoOrNull, withValues } from './shapes.ts'

export const Archive = z
  .object({
    state: z.enum(['none', 'running', 'done', 'declined']).describe(
      withValues('Where the parse of the archive stands.', {
        none: 'nobody has asked for it',
        running: 'it goes on',
        done: 'everything was parsed',
        declined: 'it was declined, or stopped before its end',
      }),
    ),
    since: z
      .string()
      .nullable()
      .describe('The first day whose correspondence is parsed; null for all.'),
    channels: z.array(z.string()).describe('The ids of the connections whose history is parsed.'),
    groups: z.boolean().describe('Whether groups of messengers are included.'),
    fresh: z.boolean().describe('Whether correspondence is parsed for new products too.'),
    progress: z
      .object({
        done: z.number().describe('How many messages have been parsed.'),
        total: z.number().nullable().describe('How many there are; null while that is not known.'),
      })
      .describe('How far the parse has come.'),
    startedAt: z.string().nullable().describe('When the parse began; null before.'),
    endedAt: z.string().nullable().describe('When the parse ended; null before.'),
    operation: z
      .string()
      .nullable()
      .describe('The key of the call that started it; null where none did.'),
  })
  .meta({ id: 'Archive' })

/** The state of the newest parse of the archive; the operation is given by its key. */
export async function presentArchive(db: Db, workspace: string): Promise<z.input<typeof Archive>> {
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
    operation: row?.key ?? null,
  }
}
