import { owns, rows } from './process.ts'

export type LettersInput = { operation: string; campaign: string; write: number[]; agree: number[] }

/** Writes and agrees example letters, then answers the waiting call. Waits for nothing but the writer. */
export async function writeLetters(input: LettersInput): Promise<void> {
  if (await owns(input.operation)) await rows.writeLetters(input)
}
