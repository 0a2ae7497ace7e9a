import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { type Client, PostroomError, problemOf } from '../../../typescript/src/index.ts'
import { CommandFailure, exits, failureOf, usage } from '../failure.ts'
import { type Add, helped } from '../helped.ts'
import type { Session } from '../session.ts'
import { facts, plain } from '../terminal.ts'
import { timeIn } from '../times.ts'
import { follow } from './operation.ts'

type Given = {
  to?: string
  person?: string
  conversation?: string
  subject?: string
  text?: string
  via?: string
  at?: string
  once?: string
  signature?: boolean
  wait?: boolean
}

/** Refusals that are decided once the key is known to be new: with them, nothing of this name was sent. */
const nothingSent = [
  ...['sender_ambiguous', 'contact_ambiguous', 'no_contact', 'recipient_suppressed', 'merged'],
] as const

export const addSend: Add = (program, run) => {
  helped(
    program
      .command('send')
      .option('--to <address>', 'the address to write to, in a new conversation')
      .option('--person <id>', 'the person to write to, such as per_… or ext:42')
      .option('--conversation <id>', 'the conversation to answer in')
      .option('--subject <words>', 'the subject')
      .option('--text <words>', 'the text; otherwise it is read from stdin')
      .option('--via <account>', 'our account to send it through, by address or id')
      .option('--at <time>', 'when to send it, with an offset: 2026-12-01T09:00:00+01:00')
      .option('--signature', "put the member's signature below it")
      .option('--once <name>', 'a name for this letter: calls of the same name send it once')
      .option('--wait', 'wait until it is sent')
      .summary('send a letter, once')
      .description(
        'Sends a letter to a client. If this command dies or loses its answer, run the same command again: it is still sent once. After a clear answer the same command is another letter, unless --once gives it a name, which is kept for 29 days.',
      ),
    "postroom send --to ines@caldeira.example --subject 'Your sensors' --text 'Shall we talk?'",
    "postroom send --conversation cnv_… --once 'answer to Ines' --wait < answer.txt",
  ).action((given: Given, command: Command) => run(command, (session) => send(session, given)))
}

async function send(session: Session, given: Given) {
  const { terminal, signal } = session
  const { to, person, conversation, subject, via, at, signature } = given
  if ([person, conversation].filter(Boolean).length + (to && !conversation ? 1 : 0) !== 1)
    throw usage(
      'To whom? Give one of --to, --person and --conversation.',
      "For instance: postroom send --to ines@caldeira.example --text 'Shall we talk?'",
    )
  if (given.once === '') throw usage('--once needs a name.')
  const client = await session.client()
  const words = await wordsOf(given)
  const body = {
    text: words,
    ...(to !== undefined && { to }),
    ...(subject !== undefined && { subject }),
    ...(via !== undefined && { via }),
    ...(at !== undefined && { sendAt: at }),
    ...(signature && { signature }),
  }
  const target = { ...body, ...(person !== undefined && { person }) }
  const step =
    given.once === undefined
      ? `unanswered ${createHash('sha256')
          .update(JSON.stringify([conversation ?? null, target]))
          .digest('hex')}`
      : `once ${given.once}`
  const options = { step, signal }
  const answer = await (async () => {
    if (conversation === undefined) {
      const answer = await client.openConversation(target, options).answer()
      return { ...answer, message: answer.body.message }
    }
    const answer = await client.sendMessage(conversation, body, options).answer()
    return { ...answer, message: answer.body }
  })().catch((error) => refused(client, step, given.once, signal, error))

  const { message, replayed, key = '' } = answer
  const shown = {
    ...{ message: message.id, conversation: message.conversation, to: message.to },
    ...{ via: message.via, state: message.state, sendAt: message.sendAt },
    ...{ operation: key, replayed },
  }
  if (!terminal.json) {
    const { zone } = await session.place()
    terminal.line(
      replayed
        ? `This letter was accepted before${given.once === undefined ? '' : ` as “${plain(given.once)}”`}: it is not sent a second time.`
        : message.sendAt
          ? `Accepted: it is sent ${timeIn(zone, message.sendAt)}.`
          : 'Accepted: it is sent as soon as its account is free.',
    )
    const rows: [string, string][] = [
      ['to', message.to],
      ['message', message.id],
      ['in', message.conversation],
      ['operation', key],
    ]
    for (const line of facts(rows, terminal)) terminal.line(line)
  }
  if (terminal.json && !given.wait) terminal.object(shown)
  // Only what the user has been told is over: whatever ends the command before, the same command is the same letter.
  const over = async () => {
    if (given.once === undefined) await client.keys.forget(step)
  }
  if (given.wait)
    await follow(session, key, { forMs: 600_000, with: shown }).catch(async (error) => {
      if (error instanceof CommandFailure && error.failure.exit === exits.refused) await over()
      throw error
    })
  await over()
}

async function wordsOf({ text: given }: Given): Promise<string> {
  if (given !== undefined) return given
  if (process.stdin.isTTY)
    throw usage(
      'There is no text.',
      'Give it with --text, or pipe it: `postroom send … < letter.txt`.',
    )
  const read = await text(process.stdin)
  if (!read.trim()) throw usage('There is no text: stdin is empty.')
  return read
}

/** Says what is known about the letter after a call that gave no answer. */
async function refused(
  client: Client,
  step: string,
  once: string | undefined,
  signal: AbortSignal,
  error: unknown,
): Promise<never> {
  const problem = problemOf(error)
  if (problem && nothingSent.some((code) => code === problem.code)) await client.keys.forget(step)
  const isUnclear = problem
    ? problem.retryable
    : error instanceof PostroomError && error.code === 'no_answer'
  if (!isUnclear && !signal.aborted) throw error
  const failure = signal.aborted
    ? { exit: exits.interrupted, code: 'interrupted', message: 'Ended before there was an answer.' }
    : failureOf(error)
  throw new CommandFailure({
    ...failure,
    hint: `The letter may have been accepted. Run the same command again${once === undefined ? ', with the same words' : ''}: it is sent once.`,
  })
}
