import type { Command } from 'commander'
import { usage } from '../failure.ts'
import { type Add, helped } from '../helped.ts'

// Completion of commands and options, made from the commands themselves. It asks nothing of the service.

type Words = { path: string; words: { word: string; says: string }[] }

export const addCompletion: Add = (program, run) => {
  helped(
    program
      .command('completion')
      .argument('<shell>', 'bash, zsh or fish')
      .summary('print the completion of a shell')
      .description('Prints a script that completes commands and options in bash, zsh or fish.'),
    'source <(postroom completion bash)                 # in ~/.bashrc',
    'source <(postroom completion zsh)                  # in ~/.zshrc, after compinit',
    'postroom completion fish > ~/.config/fish/completions/postroom.fish',
  ).action((shell: string, _: unknown, command: Command) =>
    run(command, async ({ terminal }) => {
      const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined
      if (!write)
        throw usage(`There is no completion for ${shell}.`, 'There is bash, zsh and fish.')
      terminal.line(write(wordsOf(program)))
    }),
  )
}

/** The words that may follow each command, with those that may follow everywhere. */
function wordsOf(program: Command, path: string[] = []): Words[] {
  const command = program
  const options = (of: Command) =>
    of.options.flatMap(({ long, description }) => (long ? [{ word: long, says: description }] : []))
  const root = path.length === 0 ? [] : options(rootOf(command))
  const words = [
    ...command.commands.map((one) => ({ word: one.name(), says: one.summary() })),
    ...options(command),
    ...root,
    { word: '--help', says: 'display help' },
  ].filter(({ word }, i, all) => all.findIndex((other) => other.word === word) === i)
  return [
    { path: path.join(' '), words },
    ...command.commands.flatMap((one) => wordsOf(one, [...path, one.name()])),
  ]
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The path of a line of words, as far as it names commands. */
const shells: Record<string, (all: Words[]) => string> = {
  bash: (all) => `_postroom() {
  local path="" word i words=""
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case " \${path:+$path }$word" in
${all
  .filter(({ path }) => path)
  .map(({ path }) => `      ${quoted(` ${path}`)}) path=${quoted(path)} ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${all
  .map(
    ({ path, words }) =>
      `    ${quoted(path)}) words=${quoted(words.map(({ word }) => word).join(' '))} ;;`,
  )
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [ \${#COMPREPLY[@]} -gt 0 ] || compopt -o default 2>/dev/null
}
complete -F _postroom postroom`,
  zsh: (all) => `#compdef postroom
_postroom() {
  local path_="" word
  local -a said
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${path_:+$path_ }$word" in
${all
  .filter(({ path }) => path)
  .map(({ path }) => `      ${quoted(path)}) path_=${quoted(path)} ;;`)
  .join('\n')}
    esac
  done
  case "$path_" in
${all
  .map(
    ({ path, words }) =>
      `    ${quoted(path)}) said=(${words
        .map(({ word, says }) => quoted(`${word}:${says.replaceAll(':', '\\:')}`))
        .join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  _describe postroom said || _files
}
compdef _postroom postroom`,
  fish: (all) =>
    [
      ...all
        .filter(({ path }) => path === '')
        .flatMap(({ words }) =>
          words
            .filter(({ word }) => !word.startsWith('-'))
            .map(
              ({ word, says }) =>
                `complete -c postroom -n __fish_use_subcommand -f -a ${word} -d ${quoted(says)}`,
            ),
        ),
      ...all
        .filter(({ path }) => path !== '')
        .flatMap(({ path, words }) => {
          const seen = path
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ')
          return words.map(({ word, says }) =>
            word.startsWith('--')
              ? `complete -c postroom -n ${quoted(seen)} -l ${word.slice(2)} -d ${quoted(says)}`
              : `complete -c postroom -n ${quoted(seen)} -f -a ${word} -d ${quoted(says)}`,
          )
        }),
    ].join('\n'),
}
