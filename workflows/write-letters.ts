import { owns, rowsTo } from './process.ts'

export type LettersInput = { operation: string; campaign: string; write: number[]; agree: number[] }

const write = rowsTo('Writes and agrees letters, and answers the call')

/** Writes and agrees example letters, then answers the waiting call. Waits for nothing but the writer. */
export async function writeLetters(input: LettersInput): Promise<void> {
  if (await owns(input.operation)) await write.writeLetters(input)
}
