import type { Command } from 'commander'
import type { Session } from './session.ts'

/** Runs what a command does, with what it needs, and says what goes wrong. */
export type Run = (
  command: Command,
  action: (session: Session) => Promise<unknown>,
) => Promise<void>

/** Adds the commands of a subject to the program. */
export type Add = (program: Command, run: Run) => void

/** Every command shows how it is used. */
export const helped = (command: Command, ...examples: string[]): Command =>
  command.addHelpText(
    'after',
    `\n${examples.length > 1 ? 'Examples' : 'Example'}:\n${examples.map((example) => `  ${example}`).join('\n')}\n`,
  )
