// What a log may show of an error. Messages of Postgres, of parsers and of mail servers repeat what they were given:
// rows, mails, addresses. So a message is kept only as far as its words are known to be ours or the machine's; of
// every other error the kind, the code and the stack's places are kept.

export type Scrubbed = {
  type: string
  message?: string
  code?: string | number
  stack?: string
  cause?: Scrubbed
  [fact: string]: unknown
}

const deepest = 3
const mostFrames = 30

/** An error as a log line may hold it; for any other value, only its type. */
export function scrubbed(error: unknown, depth = 0): Scrubbed {
  if (!(error instanceof Error)) return { type: error === null ? 'null' : typeof error }
  const facts = error as unknown as Record<string, unknown>
  const message = safeMessage(error, facts)
  const stack = framesOf(error).join('\n')
  return {
    type: typeOf(error),
    ...(message !== undefined && { message }),
    ...codeIn(facts),
    ...(isOfPostgres(facts) && placeIn(facts)),
    ...(stack && { stack }),
    ...(error.cause !== undefined &&
      depth < deepest && { cause: scrubbed(error.cause, depth + 1) }),
    ...(error instanceof AggregateError &&
      depth < deepest && {
        errors: error.errors.slice(0, 3).map((one) => scrubbed(one, depth + 1)),
      }),
  }
}

// The error's own name, or that of its class where its own name says nothing.
function typeOf(error: Error): string {
  const name = wordIn(error.name) ?? 'Error'
  return name === 'Error' ? (wordIn(error.constructor?.name) ?? name) : name
}

function safeMessage(error: Error, facts: Record<string, unknown>): string | undefined {
  if (isOfPostgres(facts)) return postgresMessage(error, facts)
  if (typeof facts['syscall'] === 'string') return systemMessage(facts)
  if (isOfTemporal(error, facts) || fixed.has(error.message)) return error.message
  if (ours.test(typeOf(error))) return error.message
  if (/^ERR_/.test(String(facts['code']))) return nodeMessage(error.message)
  return /^(Type|Reference|Range)Error$/.test(error.name) ? safeBeginning(error.message) : undefined
}

// Connections, transactions, SQL with our own names, resources, operators and the server itself. The classes left out
// (data, constraints, errors raised by functions) have messages that may quote a value.
const safeClasses = /^(08|25|40|42|53|54|55|57|58|XX)/

// The message of a violated constraint holds only our own names, unless a function raised it; the row is in the
// detail.
const constraintClass = /^23/
// A value that could not be parsed follows a colon or stands in quotes.
const dataClass = /^22/

function postgresMessage({ message }: Error, { code, routine }: Record<string, unknown>) {
  if (safeClasses.test(String(code))) return message
  if (routine === 'exec_stmt_raise') return undefined
  if (constraintClass.test(String(code))) return message
  return dataClass.test(String(code)) ? beforeAny(message, /[:"']/) : undefined
}

/** Node's message about a wrong argument, without the argument itself. */
const nodeMessage = (message: string) => beforeAny(message, /[:[\n]| Received/)

const beforeAny = (message: string, what: RegExp) =>
  message.split(what, 1)[0]?.trim().slice(0, 200) || undefined

// The messages of these errors are codes or sentences of our own.
const ours = /^(MailTrouble|CalendarTrouble|AsideTrouble|SealError)$/

const isOfPostgres = (facts: Record<string, unknown>) =>
  typeof facts['severity'] === 'string' && /^[0-9A-Z]{5}$/.test(String(facts['code']))

/** Where it happened, in names of ours alone. Never `detail`, `hint`, `where` or a parameter, since those hold rows. */
const placeIn = (facts: Record<string, unknown>) =>
  Object.fromEntries(
    ['severity', 'table', 'column', 'constraint', 'dataType', 'routine'].flatMap((name) =>
      typeof facts[name] === 'string' ? [[name, facts[name]]] : [],
    ),
  )

/** Without the name that was looked up, which a client may have given. */
function systemMessage({ syscall, code, address, port }: Record<string, unknown>): string {
  const place =
    typeof address === 'string' ? ` ${address}${port === undefined ? '' : `:${port}`}` : ''
  return `${syscall} ${code}${place}`
}

// Our own failures are safe sentences (activities/common/failures.ts), and Temporal's server never sees more than ids.
const temporalNames =
  /^(ApplicationFailure|ActivityFailure|ServerFailure|TimeoutFailure|CancelledFailure|ServiceError|TransportError|IllegalStateError|WorkflowNotFoundError|NamespaceNotFoundError|WorkflowExecutionAlreadyStartedError)$/
const isOfTemporal = (error: Error, facts: Record<string, unknown>) =>
  temporalNames.test(error.name) ||
  (typeof facts['code'] === 'number' && 'details' in facts && 'metadata' in facts)

const fixed = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
  'fetch failed',
  'terminated',
  'socket hang up',
  'aborted',
  'This operation was aborted',
  'The operation was aborted due to timeout',
  'Maximum call stack size exceeded',
  'Invalid array length',
  'Invalid string length',
  // From imapflow and nodemailer.
  'Connection not available',
  'Unexpected close',
  'Socket timeout',
  'Connection timeout',
  'Connection closed',
  'Connection closed unexpectedly',
  'Greeting never received',
  'Command failed',
])

// V8's messages begin with fixed words or with names from the source; a value may follow.
const beginnings = [
  /^Cannot (?:read|set) properties of (?:undefined|null)/,
  /^Cannot (?:destructure|convert|mix)\b[ \w]{0,40}/,
  /^[\w$.]{1,100} is not (?:a function|a constructor|defined|iterable)/,
]
const safeBeginning = (message: string) =>
  beginnings.map((pattern) => pattern.exec(message)?.[0]).find((found) => found !== undefined)

/** The places alone: the message, with which the stack begins, may have lines of any form. */
function framesOf({ stack, message }: Error): string[] {
  if (typeof stack !== 'string') return []
  const at = message ? stack.indexOf(message) : -1
  const places = at < 0 ? stack : stack.slice(at + message.length)
  return places
    .split('\n')
    .filter((line) => /^ {4}at .{1,400}$/.test(line))
    .slice(0, mostFrames)
}

const wordIn = (value: unknown) =>
  typeof value === 'string' && /^[\w$.]{1,60}$/.test(value) ? value : undefined

function codeIn({ code, responseCode }: Record<string, unknown>) {
  const safe = typeof code === 'number' ? code : wordIn(code)
  return {
    ...(safe !== undefined && { code: safe }),
    ...(typeof responseCode === 'number' && { responseCode }),
  }
}
