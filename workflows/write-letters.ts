import type { LettersInput } from './inputs.ts'
import { ended, notOurs, type Outcome } from './outcome.ts'
import { modelTo, owns } from './process.ts'

const write = modelTo('Writes and agrees letters, and answers the call')

/** Writes and agrees example letters, then answers the waiting call. It waits for nothing but the writer. */
export async function writeLetters(input: LettersInput): Promise<Outcome> {
  if (!(await owns(input.operation))) return notOurs
  return (await write.writeLetters(input)) ?? ended
}
