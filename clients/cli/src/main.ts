#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { type Command, CommanderError } from 'commander'
import { type Exit, exits, type Failure, failureOf, usage } from './failure.ts'
import { programOf } from './program.ts'
import { type Options, openSession } from './session.ts'
import { jsonOf, wrap } from './terminal.ts'

// The command line: finds the command, runs it, and says once what went wrong.

const interrupted = new AbortController()
process.on('SIGINT', () => end())
process.on('SIGTERM', () => end())
// A reader that has enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : 1),
)

let ends = 0
function end() {
  ends++
  // Whoever asks twice does not want to wait.
  if (ends > 1) process.exit(exits.interrupted)
  interrupted.abort(new Error('interrupted'))
}

const program = programOf(run, versionOf())
try {
  await program.parseAsync()
} catch (error) {
  const misused = error instanceof CommanderError ? misuse(error) : failureOf(error)
  if (misused) tell(misused, process.argv.includes('--json'))
}

async function run(command: Command, action: Parameters<Parameters<typeof programOf>[0]>[1]) {
  const given = command.optsWithGlobals<{ json?: boolean; profile: string; retry: string }>()
  const retry = Number(given.retry)
  if (!(retry >= 0 && retry <= 86_400)) throw usage('--retry takes seconds, from 0 to 86400.')
  const options: Options = { json: given.json === true, profile: given.profile, retry }
  const session = openSession(options, interrupted.signal)
  try {
    await action(session)
  } catch (error) {
    session.terminal.settle()
    const failure = failureOf(error)
    if (interrupted.signal.aborted && failure.exit !== exits.interrupted)
      return leave(exits.interrupted)
    tell(failure, options.json === true)
  }
}

/** What commander has found, without the words that it begins with. Help and version are no failures. */
function misuse({ code, message, exitCode }: CommanderError): Failure | undefined {
  if (exitCode === 0) return undefined
  if (code === 'commander.help') {
    process.stderr.write(program.helpInformation())
    leave(exits.usage)
    return undefined
  }
  const command = commandOf(program, process.argv.slice(2))
  const help = command === program ? 'lists the commands' : 'shows how it is used'
  const [what = '', ...more] = message.replace(/^error: /, '').split('\n')
  return {
    exit: exits.usage,
    code: 'usage',
    message: `${what.charAt(0).toUpperCase()}${what.slice(1)}${/[.?!]$/.test(what) ? '' : '.'}`,
    hint: [
      ...more.map((line) => line.replace(/^\((.*)\)$/, '$1')),
      `\`${pathOf(command)} --help\` ${help}.`,
    ].join(' '),
  }
}

/** The command that the words name, as far as they do. */
function commandOf(command: Command, words: string[]): Command {
  const [word, ...rest] = words
  if (word === undefined) return command
  if (word.startsWith('-')) return commandOf(command, rest)
  const found = command.commands.find((one) => one.name() === word)
  return found ? commandOf(found as Command, rest) : command
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function tell(
  { exit, code, message, hint, details = [], status, requestId }: Failure,
  json: boolean,
) {
  if (json) {
    const error = { code, message, hint: hint ?? null, details, status: status ?? null }
    process.stderr.write(`${jsonOf({ error: { ...error, requestId: requestId ?? null, exit } })}\n`)
    return leave(exit)
  }
  const width = Math.max(20, (process.stderr.isTTY && process.stderr.columns) || 80)
  const lines = [
    ...wrap(message, width),
    ...details.flatMap((detail) => wrap(`- ${detail}`, width, '  ')),
    ...(hint ? wrap(hint, width) : []),
    ...(requestId ? [`(${code}, request ${requestId})`] : []),
  ]
  process.stderr.write(`${lines.map(safe).join('\n')}\n`)
  return leave(exit)
}

/** Words of others that end on a terminal. */
function safe(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it takes out.
  return line.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
}

function leave(exit: Exit) {
  process.exitCode = exit
}

/** The version of the package, which lies above this file in the source and above `dist` in the package. */
function versionOf(): string {
  for (const above of ['../package.json', '../../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(above, import.meta.url), 'utf8'))
      if (name === 'postroom') return version
    } catch {
      // The next place.
    }
  }
  return '0'
}
