import { Command, Option } from 'commander'
import { addCampaigns } from './commands/campaigns.ts'
import { addCompletion } from './commands/completion.ts'
import { addEvents } from './commands/events.ts'
import { addImport } from './commands/import.ts'
import { addInbox } from './commands/inbox.ts'
import { addListen } from './commands/listen.ts'
import { addLogin } from './commands/login.ts'
import { addMcp } from './commands/mcp.ts'
import { addOpen } from './commands/open.ts'
import { addOperation } from './commands/operation.ts'
import { addSend } from './commands/send.ts'
import { type Add, helped, type Run } from './helped.ts'

/** The subjects, in the order of the help. A new one is a file in `commands/` and its name here. */
const subjects: Add[] = [
  ...[addLogin, addCampaigns, addSend, addImport, addOperation, addEvents, addListen],
  ...[addInbox, addMcp, addOpen, addCompletion],
]

/** All commands. What is wrong with a call is thrown, not printed, so that `main.ts` says it once. */
export function programOf(run: Run, version: string): Command {
  const program = new Command('postroom')
  helped(
    program
      .description('The command line of Postroom, an inbox and outreach service.')
      .version(version, '--version', 'show the version')
      .option('--json', 'write JSON: one object, or one a line')
      .addOption(
        new Option('--profile <name>', 'the login to use')
          .default('default')
          .env('POSTROOM_PROFILE'),
      )
      .option('--retry <seconds>', 'how long a call without an answer is repeated', '10')
      .helpOption('-h, --help', 'show help')
      .helpCommand('help [command]', 'show help of a command'),
    'postroom login',
    "postroom why 'Autumn letters'",
    'postroom events --follow',
  )
  for (const add of subjects) add(program, run)
  settle(program)
  return program
}

function settle(command: Command) {
  command
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .configureHelp({ showGlobalOptions: true, subcommandTerm: termOf })
    .showSuggestionAfterError(true)
    .helpOption('-h, --help', 'show help')
  for (const one of command.commands) settle(one as Command)
}

/** The name and what it takes: options have their place in the help of the command itself. */
const termOf = (command: Command) =>
  [
    command.name(),
    ...command.registeredArguments.map((one) =>
      one.required ? `<${one.name()}>` : `[${one.name()}]`,
    ),
  ].join(' ')
