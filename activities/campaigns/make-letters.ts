import { makeExampleAside, makeLetterAside } from '../../process/children/letters.ts'
import { AsideTrouble } from '../../process/children/pool.ts'
import type { Asks, Made, Maker } from '../../rules/templates/letters.ts'
import { trouble } from '../common/failures.ts'

// Letters from templates, made in a child process, for activities.

/** @throws trouble aside_unavailable or aside_busy, which are not the template's fault. */
export const makeLetter: Maker = (ask, workspace) => unlessTrouble(makeLetterAside(ask, workspace))

/** @throws trouble as makeLetter does. */
export const makeExample = (asks: Asks, workspace: string) =>
  unlessTrouble(makeExampleAside(asks, workspace))

const unlessTrouble = (made: Promise<Made>) =>
  made.catch((error: unknown) => {
    throw error instanceof AsideTrouble
      ? trouble(error.code, 'Letters cannot be made at the moment; the activity is retried.')
      : error
  })
