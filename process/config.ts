import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { plainIssue } from '../rules/plain-issues.ts'
import { isInClear } from './network/loopback.ts'

// Every variable the service reads, parsed once. Beside this file only dev/ touches process.env, to hand it to what it starts.

const whole = (least: number, most: number) => {
  const error =
    most === Number.MAX_SAFE_INTEGER
      ? `must be a whole number, ${least} or more`
      : `must be a whole number from ${least} to ${most}`
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}
const port = whole(0, 65535)
const rate = whole(1, Number.MAX_SAFE_INTEGER)
const connections = whole(2, 1000)
// With fewer, the quarter that one workspace may have would be none.
const slots = whole(4, 10_000)
// A secret must withstand guessing: 16 characters are the minimum, 32 random bytes are advised.
const secret = z
  .string()
  .min(16, { message: 'must have 16 characters or more; generate one with openssl rand -hex 32' })
// Each as browsers send it, with a scheme and a host and nothing behind them, or * for all.
const origins = z.string().transform((text, context) =>
  text
    .split(/[\s,]+/)
    .filter((one) => one !== '')
    .map((one) => {
      const isOrigin = /^https?:\/\/[^/?#@*\\]+\/?$/i.test(one) && URL.canParse(one)
      if (one !== '*' && !isOrigin)
        context.addIssue({
          code: 'custom',
          message: `${one} must be an origin, such as https://app.example.com, or *`,
        })
      return isOrigin ? new URL(one).origin : one
    }),
)
// Where a person may be led back to, with a secret in no place of the address: no *, and in clear to this machine alone.
const returnOrigins = origins.superRefine((list, context) => {
  for (const one of list.filter((origin) => origin === '*' || isInClear(origin)))
    context.addIssue({
      code: 'custom',
      message: `${one} must be the https origin of a site, such as https://app.example.com`,
    })
})
const blankIsAbsent = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))

/** The variables with their shapes and defaults; docs/deploying.md says what each is for. */
export const Environment = z.object({
  PORT: port.default(8080),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: z.string().optional(),
  DATABASE_ROLE: z.string().optional(),
  MIGRATE_DATABASE_URL: z.string().optional(),
  DATABASE_POOL_READS: connections.default(20),
  DATABASE_POOL_CHANGES: connections.default(20),
  DATABASE_POOL_TOKENS: connections.default(4),
  DATABASE_POOL_WORKER: connections.default(20),
  DATABASE_POOL_LETTERS: connections.default(10),
  SECRET_KEY: secret.optional(),
  SECRET_KEY_PREVIOUS: secret.optional(),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_TASK_QUEUE: z.string().default('postroom'),
  TEMPORAL_API_KEY: z.string().optional(),
  TEMPORAL_TLS_CERT: z.string().optional(),
  TEMPORAL_TLS_KEY: z.string().optional(),
  TEMPORAL_TLS_CA: z.string().optional(),
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  TEMPORAL_UI_URL: z.url().optional(),
  TEMPORAL_PORT: port.default(7233),
  TEMPORAL_UI_PORT: port.default(8233),
  MAIL_SMTP_PORT: port.optional(),
  MAIL_HTTP_PORT: port.optional(),
  MAIL_IMAP_PORT: port.optional(),
  DATA_DIR: z.string().default('.data'),
  VARIANT: z.enum(['full', 'reduced']).default('full'),
  CLOCK: z.iso.datetime({ offset: true }).optional(),
  WORKSPACE_FILE: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  RATE_READS: rate.default(6000),
  RATE_CHANGES: rate.default(3000),
  RATE_SENDS: rate.default(600),
  FINDER_URL: z.url({ protocol: /^https?$/ }).optional(),
  FINDER_SECRET: z
    .string()
    .regex(/^(?:whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/, {
      message: 'must be base64 of 24 bytes or more',
    })
    .optional(),
  MODEL_URL: z.url({ protocol: /^https?$/ }).optional(),
  MODEL_KEY: z.string().optional(),
  MODEL_NAME: z.string().optional(),
  MODEL_TLS: z.enum(['required', 'none']).default('required'),
  MODEL_TIMEOUT_MS: whole(100, 120_000).default(60_000),
  CORS_ORIGINS: origins.optional(),
  ADMIN_RETURN_ORIGINS: returnOrigins.optional(),
  WEBHOOK_ALLOW_PRIVATE: z.stringbool({ error: 'must be true or false' }).default(false),
  MAIL_ALLOW_PRIVATE: z.stringbool({ error: 'must be true or false' }).default(false),
  OAUTH_GOOGLE_CLIENT_ID: z.string().optional(),
  OAUTH_GOOGLE_CLIENT_SECRET: z.string().optional(),
  OAUTH_MICROSOFT_CLIENT_ID: z.string().optional(),
  OAUTH_MICROSOFT_CLIENT_SECRET: z.string().optional(),
  OAUTH_MICROSOFT_TENANT: z
    .string()
    .regex(/^[\w.-]{1,255}$/, {
      message: 'must be the id or a domain of a tenant, organizations or common',
    })
    .default('common'),
  METRICS_PORT: port.optional(),
  WORKFLOW_CACHE: whole(10, 100_000).default(100),
  WORKER_SLOTS_ROWS: slots.default(400),
  WORKER_SLOTS_SEND: slots.default(200),
  WORKER_SLOTS_REMOTE: slots.default(200),
  WORKER_SLOTS_MAIL: slots.default(400),
  WORKER_SLOTS_HOOKS: slots.default(100),
  CRASH_AT: z.string().optional(),
})

/**
 * Reads the environment and freezes it.
 * @throws Error that names every wrong variable; a process that cannot be configured does not start.
 */
export function parseConfig(env: NodeJS.ProcessEnv) {
  const parsed = Environment.safeParse(blankIsAbsent(env), { error: plainIssue })
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`The environment is not usable:\n${lines.join('\n')}`)
  }
  const e = parsed.data
  if (e.SECRET_KEY_PREVIOUS && !e.SECRET_KEY)
    throw new Error(
      'The environment is not usable:\n  SECRET_KEY: is required with SECRET_KEY_PREVIOUS',
    )
  if (e.FINDER_URL && !e.FINDER_SECRET)
    throw new Error('The environment is not usable:\n  FINDER_SECRET: is required with FINDER_URL')
  if (e.MODEL_URL && !e.MODEL_NAME)
    throw new Error('The environment is not usable:\n  MODEL_NAME: is required with MODEL_URL')
  if (e.MODEL_URL && e.MODEL_KEY && e.MODEL_TLS !== 'none' && isInClear(e.MODEL_URL))
    throw new Error(
      'The environment is not usable:\n  MODEL_URL: must be https, since MODEL_KEY is sent there (or set MODEL_TLS=none)',
    )
  for (const provider of ['GOOGLE', 'MICROSOFT'] as const) {
    const [id, secret] = [`OAUTH_${provider}_CLIENT_ID`, `OAUTH_${provider}_CLIENT_SECRET`] as const
    const lacking = e[id] && !e[secret] ? secret : e[secret] && !e[id] ? id : undefined
    if (lacking)
      throw new Error(
        `The environment is not usable:\n  ${lacking}: is required with ${lacking === id ? secret : id}`,
      )
  }
  const temporalUiUrl = e.TEMPORAL_UI_URL ?? `http://127.0.0.1:${e.TEMPORAL_UI_PORT}`
  return Object.freeze({
    port: e.PORT,
    host: e.HOST,
    publicUrl: (e.PUBLIC_URL ?? `http://127.0.0.1:${e.PORT}`).replace(/\/+$/, ''),
    databaseUrl: e.DATABASE_URL,
    // The role that the API and the worker connect as. It may read and write rows; the schema belongs to the owner in
    // migrateDatabaseUrl.
    databaseRole: e.DATABASE_ROLE ?? userOf(e.DATABASE_URL),
    migrateDatabaseUrl: e.MIGRATE_DATABASE_URL ?? e.DATABASE_URL,
    // The most connections at a time: of an API process for reads, for changes and to find its callers; of a worker process for all
    // its work, and for the claims, leases and settlements of letters.
    databasePools: Object.freeze({
      reads: e.DATABASE_POOL_READS,
      changes: e.DATABASE_POOL_CHANGES,
      tokens: e.DATABASE_POOL_TOKENS,
      worker: e.DATABASE_POOL_WORKER,
      letters: e.DATABASE_POOL_LETTERS,
    }),
    // `current` seals secrets at rest; `previous` still opens them until all are sealed again with `current`.
    secretKey: e.SECRET_KEY
      ? Object.freeze({ current: e.SECRET_KEY, previous: e.SECRET_KEY_PREVIOUS })
      : undefined,
    temporal: Object.freeze({
      address: e.TEMPORAL_ADDRESS ?? `127.0.0.1:${e.TEMPORAL_PORT}`,
      external: e.TEMPORAL_ADDRESS !== undefined,
      namespace: e.TEMPORAL_NAMESPACE,
      taskQueue: e.TEMPORAL_TASK_QUEUE,
      apiKey: e.TEMPORAL_API_KEY,
      tlsCert: e.TEMPORAL_TLS_CERT,
      tlsKey: e.TEMPORAL_TLS_KEY,
      tlsCa: e.TEMPORAL_TLS_CA,
      tlsServerName: e.TEMPORAL_TLS_SERVER_NAME,
      uiUrl: temporalUiUrl.replace(/\/+$/, ''),
      port: e.TEMPORAL_PORT,
      uiPort: e.TEMPORAL_UI_PORT,
    }),
    // Ports of the mail sink of `npm start`, of its page and of the mailboxes behind it; 0 takes any free port.
    mail: Object.freeze({ smtp: e.MAIL_SMTP_PORT, http: e.MAIL_HTTP_PORT, imap: e.MAIL_IMAP_PORT }),
    dataDir: e.DATA_DIR,
    variant: e.VARIANT,
    clock: e.CLOCK,
    workspaceFile: e.WORKSPACE_FILE,
    logLevel: e.LOG_LEVEL,
    rates: Object.freeze({ reads: e.RATE_READS, changes: e.RATE_CHANGES, sends: e.RATE_SENDS }),
    // A people finder over HTTP; without one, the search goes through the workspace's own prospects.
    finder:
      e.FINDER_URL && e.FINDER_SECRET
        ? Object.freeze({ url: e.FINDER_URL, secret: e.FINDER_SECRET })
        : undefined,
    // An endpoint for OpenAI's chat completions; without one, the embedded rules write and judge.
    model: e.MODEL_URL
      ? Object.freeze({
          url: e.MODEL_URL.replace(/\/+$/, ''),
          key: e.MODEL_KEY,
          name: e.MODEL_NAME as string,
          timeoutMs: e.MODEL_TIMEOUT_MS,
        })
      : undefined,
    // Whose scripts may call from a browser; nobody's by default.
    corsOrigins: Object.freeze(e.CORS_ORIGINS ?? []),
    // Where the owners of mailboxes may be led back to; nowhere by default.
    returnOrigins: Object.freeze(e.ADMIN_RETURN_ORIGINS ?? []),
    // Allows webhooks to this machine and its networks: for development, or where that is intended.
    webhookAllowPrivate: e.WEBHOOK_ALLOW_PRIVATE,
    // The same for mail servers that are named by a call to the administration.
    mailAllowPrivate: e.MAIL_ALLOW_PRIVATE,
    // Our clients at the two providers that the operator's file names by a word.
    oauth: Object.freeze({
      google: clientOf(e.OAUTH_GOOGLE_CLIENT_ID, e.OAUTH_GOOGLE_CLIENT_SECRET),
      microsoft: clientOf(e.OAUTH_MICROSOFT_CLIENT_ID, e.OAUTH_MICROSOFT_CLIENT_SECRET),
      microsoftTenant: e.OAUTH_MICROSOFT_TENANT,
    }),
    metricsPort: e.METRICS_PORT,
    // How many workflows a worker keeps in memory: what bounds its memory, however many wait.
    cachedWorkflows: e.WORKFLOW_CACHE,
    // How many activities of each task queue a worker runs at once.
    workerSlots: Object.freeze({
      rows: e.WORKER_SLOTS_ROWS,
      send: e.WORKER_SLOTS_SEND,
      remote: e.WORKER_SLOTS_REMOTE,
      mail: e.WORKER_SLOTS_MAIL,
      hooks: e.WORKER_SLOTS_HOOKS,
    }),
    // A named point at which the process kills itself; only the fault tests set it.
    crashAt: e.CRASH_AT,
  })
}

/** A flat map of variables, which `npm start` keeps in DATA_DIR/stack.json: how commands run beside it find its parts. */
export type Stack = Record<string, string>

export function readStack(dataDir: string): Stack {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8'))
  } catch {
    return {}
  }
}

/** The environment over what a running `npm start` has left of itself. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = blankIsAbsent(env)
  const stack = readStack(env['DATA_DIR'] || '.data')
  // The owner in stack.json belongs to the stack's database, not to one that is named here.
  if ('DATABASE_URL' in given) delete stack['MIGRATE_DATABASE_URL']
  try {
    return parseConfig({ ...stack, ...given })
  } catch (error) {
    // The message names the variable; a stack trace would only hide it.
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}

const clientOf = (clientId = '', clientSecret = '') =>
  clientId && clientSecret ? Object.freeze({ clientId, clientSecret }) : undefined

function userOf(databaseUrl = ''): string | undefined {
  try {
    return decodeURIComponent(new URL(databaseUrl).username) || undefined
  } catch {
    return undefined
  }
}

export type Config = ReturnType<typeof parseConfig>
