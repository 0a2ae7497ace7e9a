import type { Context } from 'koa'
import { openUnproven } from './unproven.ts'

/** The form that a page without a token sends, of at most so many bytes. */
export async function receiveForm(ctx: Context, most: number): Promise<URLSearchParams> {
  const pieces: Buffer[] = []
  const intake = openUnproven(ctx)
  try {
    await intake.receive(ctx, most, (piece) => void pieces.push(piece))
  } finally {
    intake.close()
  }
  return new URLSearchParams(Buffer.concat(pieces).toString('utf8'))
}
