import { PostroomError, problemOf } from '../../typescript/src/index.ts'

// What goes wrong, as the user reads it: what, why and what to do; and as scripts read it: the exit code and `--json`.

/** The exit codes, which are part of the interface. */
export const exits = {
  done: 0,
  /** The service has refused, or the work ended without its effect. */
  refused: 1,
  /** The command was not understood: an unknown command or option, a file that cannot be read. */
  usage: 2,
  /** The service gave no clear answer. */
  noAnswer: 3,
  /** No token, one that is not accepted, or one without a scope. */
  login: 4,
  /** The time that was given for waiting is over; the work goes on. */
  notEnded: 5,
  /** Ctrl-C, as shells have it. */
  interrupted: 130,
} as const

export type Exit = (typeof exits)[keyof typeof exits]

export type Failure = {
  exit: Exit
  code: string
  message: string
  hint?: string | undefined
  details?: string[]
  status?: number
  requestId?: string
}

/** What a command throws of its own. */
export class CommandFailure extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

export const usage = (message: string, hint?: string) =>
  new CommandFailure({ exit: exits.usage, code: 'usage', message, hint })

/** What to do about a code of the service. Codes without a line here say it in their own words. */
const hints: Record<string, string> = {
  token_missing: 'Run `postroom login`.',
  invalid_token:
    'It is mistyped, was revoked, or belongs to another deployment. Ask the operator for a new one and run `postroom login`.',
  token_expired: 'Ask the operator for a new token and run `postroom login`.',
  not_found: 'Look at the id: it may belong to another workspace (`postroom whoami`).',
  no_such_route:
    'The address of the login is not that of the API. Run `postroom login URL` with the address that ends in /api/v1.',
  idempotency_key_reused:
    'The name was used for another call. Give this one a name of its own, with --once.',
  recipient_suppressed:
    'The address must not be written to. The suppressions of the workspace say why.',
  rate_limited: 'Wait a moment, then run the same command again.',
  internal:
    'Run the same command again. If it keeps failing, tell the operator the id of the request.',
  unavailable: 'Run the same command again in a moment.',
  provider_failed: 'Run the same command again later.',
}

/** What a thrown error means to the user. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandFailure) return error.failure
  const problem = problemOf(error)
  if (problem) {
    const { code, status, requestId, detail } = problem
    const details = (problem.errors ?? []).map(
      ({ pointer, parameter, message }) =>
        `${pointer || parameter ? `${pointer || parameter}: ` : ''}${message}`,
    )
    if (problem.code === 'sender_ambiguous' || problem.code === 'contact_ambiguous')
      for (const { account, name, id } of problem.candidates)
        details.push(`${account}${name ? ` (${name})` : ''}${id ? ` ${id}` : ''}`)
    if (problem.code === 'campaign_incomplete')
      for (const { message } of problem.missing) details.push(message)
    const more = details.filter((one) => !one.endsWith(detail))
    const exit =
      status === 401 || code === 'insufficient_scope'
        ? exits.login
        : status === 429 || status >= 500
          ? exits.noAnswer
          : exits.refused
    return { exit, code, message: detail, hint: hintOf(problem), details: more, status, requestId }
  }
  if (error instanceof PostroomError) return clientFailure(error)
  const message = error instanceof Error ? error.message : String(error)
  return { exit: exits.refused, code: 'unexpected', message }
}

function hintOf(problem: NonNullable<ReturnType<typeof problemOf>>): string | undefined {
  if (problem.code === 'insufficient_scope')
    return `It needs ${problem.scopes.join(' and ')}. Ask the operator for such a token, and run \`postroom login\`.`
  if (problem.code === 'sender_ambiguous') return 'Name one of these accounts with --via.'
  if (problem.code === 'contact_ambiguous') return 'Name one of these with --to or --person.'
  return hints[problem.code]
}

/** What the system says of a connection, in words. */
const connections: Record<string, string> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ECONNRESET: 'the connection was lost',
  ETIMEDOUT: 'the connection took too long',
  UND_ERR_SOCKET: 'the connection was lost',
}

function clientFailure({ code, message, cause }: PostroomError): Failure {
  if (code === 'no_answer') {
    const below = (cause as Error | undefined)?.cause as { code?: string } | undefined
    const why = connections[below?.code ?? ''] ?? message
    return {
      exit: exits.noAnswer,
      code,
      message: `There is no answer from the service: ${why}.`,
      hint: 'Is it running, and is the address of your login right? Then run the same command again.',
    }
  }
  if (code === 'redirected')
    return {
      exit: exits.noAnswer,
      code,
      message: `The service leads elsewhere, and the token does not go there: ${message}.`,
      hint: 'Run `postroom login URL` with the address that it leads to.',
    }
  if (code === 'step_too_old')
    return {
      exit: exits.refused,
      code,
      message,
      hint: 'Look whether it was sent. To send it now, give it another name with --once.',
    }
  if (code === 'not_ended') return { exit: exits.notEnded, code, message }
  return {
    exit: exits.usage,
    code,
    message: message.replace(/^(url|token): /, 'The $1 ').replace('The url', 'The address'),
  }
}
