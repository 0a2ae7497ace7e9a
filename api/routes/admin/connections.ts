import { z } from 'zod'
import { findAdministered, presentConnection } from '../../../db/accounts/administered.ts'
import { listAdministered } from '../../../db/accounts/channels.ts'
import type { MailServer, VerificationRequest } from '../../../db/accounts/tables.ts'
import { insertVerification, type TooMany, triesOf } from '../../../db/accounts/verifications.ts'
import {
  type AccountEdit,
  type AccountRow,
  editAccount,
  lockAccount,
} from '../../../db/inbox/connection-edits.ts'
import { addConnection, findSameAccount } from '../../../db/inbox/new-connection.ts'
import { endQueued, removeConnection } from '../../../db/inbox/removed-connection.ts'
import { type ConnectionSecrets, connectionSecrets, SealError, seal } from '../../../db/secrets.ts'
import { isMember } from '../../../db/workspace/members.ts'
import { needsOwner } from '../../../oauth/provider.ts'
import { comparedForm, shownEmail } from '../../../rules/addresses.ts'
import { usualEmailLimits } from '../../../rules/budgets.ts'
import { oauthProviders } from '../../../rules/oauth.ts'
import { ApiError, found, invalid } from '../../http/errors.ts'
import { withinQuotas } from '../../http/quotas.ts'
import {
  type AdminChangeContext,
  adminChange,
  adminRead,
  awaited,
  type Deployment,
} from '../../route.ts'
import { Password, ServerEdit, ServerShown, serverOf } from '../../shapes/mail-servers.ts'
import {
  Deleted,
  Id,
  next,
  OneLine,
  OwnId,
  optional,
  Paging,
  page,
  readCursor,
  withValues,
} from '../../shapes/shapes.ts'

// The accounts of a workspace for the application that embeds it: servers, limits, and whether they work. Passwords go in, and never
// come out again. One file, because the shapes, what is read and what changes are of one resource.

const Limits = z
  .object({
    day: z.number().describe('How many letters a day, by the time zone of the workspace.'),
    week: z.number().describe('How many a week, from Monday.'),
    gapSeconds: z.number().describe('How many seconds lie between two letters.'),
  })
  .meta({ id: 'SendingLimits' })

const Connection = z
  .object({
    id: OwnId,
    kind: z.string().describe(
      withValues('The kind of account.', {
        email: 'an e-mail account',
        professional_network: 'an account of a professional network',
        messenger: 'an account of a messenger',
      }),
    ),
    name: z.string().describe('The name of the connection.'),
    account: z.string().describe('The address of the account.'),
    member: z.string().describe('The id of the member whose account it is.'),
    smtp: ServerShown.describe('Where its letters are handed in; null if it sends none.'),
    imap: ServerShown.describe('Where its mailbox is read; null if it is not.'),
    oauth: z
      .unknown()
      .nullable()
      .describe(
        'How it logs in with the consent of its owner: `google`, `microsoft`, or another provider without its secret; null if it logs in with a password.',
      ),
    bridge: z
      .object({ url: z.string().describe('The address of the bridge.') })
      .meta({ id: 'Bridge' })
      .nullable()
      .describe('The bridge of an account of another kind than `email`; else null.'),
    limits: Limits.describe('How much may be sent through it.'),
    paused: z
      .boolean()
      .describe(
        'Whether it rests because an application says so: nothing is sent or read through it.',
      ),
    alive: z.boolean().describe('Whether it works, as far as is known. `problem` says why not.'),
    problem: z
      .string()
      .nullable()
      .describe(
        'The problem with it, as `problem` of `GET /channels` has it, or `paused`; null if there is none.',
      ),
    restsUntil: z
      .string()
      .nullable()
      .describe('Until when it rests because of what its provider has said; else null.'),
    readAt: z
      .string()
      .nullable()
      .describe('When its mailbox was last read to its end; null if it never was.'),
  })
  .meta({ id: 'Connection' })

const outcomes = {
  ok: 'the server has let us in',
  login_failed: 'it has refused the login',
  server_unreachable: 'it cannot be reached, or offers no connection that is safe',
  consent_needed: 'the owner of the account has to agree at the provider first',
}
const Outcome = z.string().nullable()

const FoundServers = z
  .object({
    source: z.string().describe(
      withValues('Where the servers were found.', {
        provider: 'the mailbox is of a provider that is known',
        srv: 'the domain names them in SRV records',
        autoconfig: 'the domain names them in a document for mail programs',
      }),
    ),
    smtp: ServerShown.describe('Where letters are handed in.'),
    imap: ServerShown.describe('Where the mailbox is read.'),
    provider: z.string().nullable().describe('The name of the provider, if it is known.'),
    unexpected: z
      .array(z.string())
      .describe(
        'Hosts that are neither under the domain of the address nor of a known provider. No password goes there before its owner has seen them.',
      ),
  })
  .meta({ id: 'FoundServers' })

const Added = z
  .object({
    connection: Connection.describe('The connection that was added.'),
    verified: z
      .object({
        smtp: Outcome.describe(
          withValues('What the login to send came to; null if none was tried.', outcomes),
        ),
        imap: Outcome.describe(
          withValues('What the login to read came to; null if none was tried.', outcomes),
        ),
      })
      .meta({ id: 'VerifiedLogins' })
      .describe('What the logins came to.'),
    found: FoundServers.optional().describe('What was found, with `discover`.'),
  })
  .meta({ id: 'AddedConnection' })

const whole = z.number().int().min(0).max(1_000_000)
const LimitsEdit = z
  .strictObject({
    day: optional(whole).describe('How many letters a day; of a new one by default 50.'),
    week: optional(whole).describe('How many a week, from Monday; of a new one by default 250.'),
    gapSeconds: optional(whole).describe(
      'How many seconds lie between two letters; of a new one by default 30.',
    ),
  })
  .meta({ id: 'SendingLimitsUpdate' })

const Account = z
  .string()
  .overwrite(shownEmail)
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, { message: 'must be an e-mail address' })

const NewConnection = z
  .strictObject({
    account: Account.describe('The address of the mailbox.'),
    member: Id.describe('The id of the member whose account it is.'),
    name: optional(OneLine(300).min(1)).describe('Its name; by default the address.'),
    smtp: optional(ServerEdit).describe('Where its letters are handed in.'),
    imap: optional(ServerEdit).describe('Where its mailbox is read.'),
    password: optional(Password).describe(
      'The password for both servers, unless they have their own. It is never shown.',
    ),
    oauth: optional(z.enum(['google', 'microsoft'])).describe(
      'The provider at which its owner agrees, instead of a password. The servers are those of the provider unless they are given.',
    ),
    limits: optional(LimitsEdit).describe('How much may be sent through it.'),
    discover: optional(z.boolean()).describe(
      'Whether servers that are not given are looked for: in a table of providers, in the records of the domain, and in its document for mail programs.',
    ),
    save: optional(z.enum(['verified', 'always'])).describe(
      withValues('What has to be so for the connection to be kept.', {
        verified: 'every server lets us in; this is the default',
        always: 'nothing: a login that fails is told, and tried again later',
      }),
    ),
  })
  .meta({ id: 'NewConnection' })
type NewConnection = z.output<typeof NewConnection>

const ConnectionEdit = z
  .strictObject({
    name: optional(OneLine(300).min(1)).describe('Its name.'),
    member: optional(Id).describe('The id of the member whose account it is.'),
    smtp: optional(ServerEdit).describe(
      'What changes of the server where its letters are handed in.',
    ),
    imap: optional(ServerEdit).describe('What changes of the server where its mailbox is read.'),
    password: optional(Password).describe(
      'A new password for both servers, unless they have their own. It is never shown.',
    ),
    limits: optional(LimitsEdit).describe('What changes of how much may be sent through it.'),
    paused: optional(z.boolean()).describe(
      'Whether nothing is sent or read through it until this is taken back.',
    ),
  })
  .meta({ id: 'ConnectionUpdate' })
type ConnectionEdit = z.output<typeof ConnectionEdit>

const InWorkspace = z.object({ id: Id.describe('The id of the workspace.') })
const OfWorkspace = InWorkspace.extend({ connection: Id.describe('The id of the connection.') })

export const routes = [
  adminRead({
    path: '/workspaces/{id}/connections',
    operationId: 'listConnections',
    summary: 'List the connections of a workspace',
    description: 'Its accounts, with their servers, in the order of their ids.',
    scopes: ['connections'],
    params: InWorkspace,
    query: Paging,
    response: z
      .object({
        connections: z.array(Connection).describe('The connections.'),
        next,
      })
      .meta({ id: 'ConnectionList' }),
    handler: async ({ query }, { db, workspace, clock }) => {
      const [after] = readCursor(query.cursor, 'text') ?? []
      const most = { after, limit: query.limit + 1 }
      const rows = await listAdministered(db, workspace.id, clock.now(), most)
      const { items, next } = page(rows, query.limit, ({ id }) => [id])
      return { connections: items.map((row) => presentConnection(row, clock)), next }
    },
  }),

  adminChange({
    method: 'POST',
    path: '/workspaces/{id}/connections',
    operationId: 'createConnection',
    summary: 'Add a mailbox',
    description:
      'Logs in to both servers of the mailbox, and keeps it if they let us in. 422 `login_failed` has the words of the server, and `server_unreachable` is one answer for whatever keeps a server from being reached; `errors` names the server by its pointer, `/smtp` or `/imap`. A mailbox that the workspace has already is 409 `conflict` with its id in `connection`. A token tries ten mailboxes a minute, and a mailbox is tried five times an hour: beyond that, 429 `rate_limited`.',
    scopes: ['connections'],
    action: 'channel.created',
    params: InWorkspace,
    body: NewConnection,
    response: Added,
    errors: [
      ...(['conflict', 'login_failed', 'server_unreachable', 'private_address'] as const),
      ...(['still_running', 'quota_exceeded'] as const),
    ],
    check: ({ body }, { deployment, workspace }) => {
      if (workspace.mode === 'sandbox') {
        if (body.oauth)
          throw invalid('/oauth', 'not_allowed', 'is not in a sandbox, which reaches no provider')
      } else refuseWhatDoesNotFit(body)
      refuseServers(body, deployment)
      if (body.oauth && !deployment.oauthProviders?.includes(body.oauth))
        throw invalid('/oauth', 'not_configured', 'is a provider of which we are no client')
    },
    async handler({ body }, context) {
      const { db, workspace, operation } = context
      if (!(await isMember(db, workspace.id, body.member)))
        throw invalid('/member', 'unknown_id', 'is not a member of this workspace')
      const same = await findSameAccount(db, workspace.id, body.account)
      if (same)
        throw new ApiError('conflict', `${body.account} is a connection of this workspace.`, {
          members: { connection: same },
        })
      const request = requestOf(body, context)
      if (body.oauth) return addByConsent(context, request)
      const verification = await insertVerification(db, keyOf(context), {
        workspace: workspace.id,
        account: comparedForm(body.account),
        asker: context.token,
        request,
        secrets: {
          smtp: body.smtp?.password ?? body.password,
          imap: body.imap?.password ?? body.password,
        },
      })
      if (typeof verification !== 'string') throw tooMany(verification)
      const input = { operation: operation.id, workspace: workspace.id, verification }
      await context.start('verifyConnection', [input])
      return awaited
    },
  }),

  adminChange({
    method: 'PATCH',
    path: '/workspaces/{id}/connections/{connection}',
    operationId: 'updateConnection',
    summary: 'Change a connection',
    description:
      'Changes what is given. A password stays only where it was given for: a server whose host, port, TLS or user changes needs its password again, else 422 `secret_needed`. With `paused` nothing is sent or read through the account until it is taken back: campaigns leave it out, and messages wait.',
    scopes: ['connections'],
    action: 'channel.edited',
    params: OfWorkspace,
    body: ConnectionEdit,
    response: Connection,
    errors: ['private_address', 'secret_needed'],
    async handler({ params, body }, context) {
      const { db, workspace, clock, changed } = context
      const before = found(await lockAccount(db, workspace.id, params.connection), 'connection')
      if (body.member !== undefined && !(await isMember(db, workspace.id, body.member)))
        throw invalid('/member', 'unknown_id', 'is not a member of this workspace')
      const { columns, told } = editOf(before, body, context)
      if (Object.keys(told.after).length > 0) {
        await editAccount(db, before, columns, clock.now())
        changed(before.id, told.before, told.after)
      }
      return found(await findAdministered(db, workspace.id, before.id, clock), 'connection')
    },
  }),

  adminChange({
    method: 'DELETE',
    path: '/workspaces/{id}/connections/{connection}',
    operationId: 'deleteConnection',
    summary: 'Remove a connection',
    description:
      'Nothing is sent or read through it from now on, its password and tokens are gone, and links that were made for it end. What is queued through it ends with the reason `connection_removed`; a letter that is with a server at this moment settles as ever. Its conversations stay. The mailbox may be added again, as a new connection. `GET /admin/v1/operations/{key}` says when all of it has ended.',
    scopes: ['connections'],
    action: 'channel.removed',
    params: OfWorkspace,
    query: z.strictObject({
      revoke: z
        .enum(['true', 'false'])
        .default('false')
        .describe(
          '`true` takes back the consent of its owner at the provider too. Where that fails, its member is notified, and `revoked` of the operation is `failed`.',
        ),
    }),
    response: Deleted.extend({
      revokes: z
        .boolean()
        .describe('Whether there is a consent, which the operation takes back at its provider.'),
    }).meta({ id: 'DeletedConnection' }),
    async handler({ params, query }, context) {
      const { db, workspace, clock, changed, operation } = context
      const before = found(await lockAccount(db, workspace.id, params.connection), 'connection')
      const now = clock.now()
      const revokes = query.revoke === 'true' && needsOwner(before)
      await removeConnection(db, before, { revokes, now })
      await endQueued(db, before, now)
      const { id, account, member, name } = before
      changed(id, { account, member, name }, undefined, undefined, { member })
      const input = { operation: operation.id, connection: id, revoke: revokes }
      await context.start('removeConnection', [input], { Connection: id })
      return { id, deleted: true as const, revokes }
    },
  }),

  adminRead({
    path: '/workspaces/{id}/connections/{connection}',
    operationId: 'getConnection',
    summary: 'Read a connection',
    description: 'One account, with its servers and whether it works.',
    scopes: ['connections'],
    params: OfWorkspace,
    response: Connection,
    handler: async ({ params }, { db, workspace, clock }) =>
      found(await findAdministered(db, workspace.id, params.connection, clock), 'connection'),
  }),
]

/** @throws ApiError validation_failed. */
function refuseWhatDoesNotFit({ smtp, imap, password, oauth, discover }: NewConnection) {
  if (oauth) {
    if (password ?? smtp?.password ?? imap?.password)
      throw invalid('/password', 'not_allowed', 'does not go with oauth')
    if (discover) throw invalid('/discover', 'not_allowed', 'does not go with oauth')
    return
  }
  if (!discover && !smtp && !imap)
    throw invalid('/smtp', 'missing', 'is required, or imap, or discover')
  for (const [name, server] of [
    ['smtp', smtp],
    ['imap', imap],
  ] as const)
    if ((server || discover) && !(server?.password ?? password))
      throw invalid(server ? `/${name}/password` : '/password', 'missing', 'is required')
}

/** @throws ApiError that names what is wrong with each server: private_address if nothing else is, otherwise validation_failed. */
function refuseServers(body: NewConnection, deployment: Deployment) {
  const refusals = (['smtp', 'imap'] as const).flatMap((kind) => {
    try {
      if (body[kind]) serverOf(kind, body[kind], body, deployment)
      return []
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  })
  const [first] = refusals
  if (!first) return
  const code = refusals.every((one) => one.code === first.code) ? first.code : 'validation_failed'
  throw new ApiError(code, first.message, { errors: refusals.flatMap(({ errors = [] }) => errors) })
}

function requestOf(
  body: NewConnection,
  { deployment, client, operation, workspace }: AdminChangeContext,
): VerificationRequest {
  const { account, member, name = account, limits, oauth, discover = false, save } = body
  const provider = oauth && oauthProviders[oauth]
  const server = (kind: 'smtp' | 'imap') =>
    body[kind]
      ? serverOf(kind, body[kind], body, deployment)
      : provider
        ? { ...provider[kind], user: account }
        : null
  return {
    account,
    member,
    name,
    limits: { ...usualEmailLimits, ...limitColumns(limits) },
    smtp: server('smtp'),
    imap: server('imap'),
    ...(oauth && { oauth }),
    discover,
    publicOnly: deployment.mailAllowPrivate !== true,
    save: save ?? 'verified',
    client,
    key: operation.key,
    instance: `/admin/v1/workspaces/${workspace.id}/connections`,
  }
}

const limitColumns = (limits: Partial<z.output<typeof LimitsEdit>> = {}) => ({
  ...(limits.day !== undefined && { limitDay: limits.day }),
  ...(limits.week !== undefined && { limitWeek: limits.week }),
  ...(limits.gapSeconds !== undefined && { gapSeconds: limits.gapSeconds }),
})

type Told = Record<string, unknown>

/** The columns that an edit changes, and what the audit log says of it, without passwords. @throws ApiError. */
function editOf(
  before: AccountRow,
  body: ConnectionEdit,
  context: AdminChangeContext,
): { columns: AccountEdit; told: { before: Told; after: Told } } {
  const columns: AccountEdit = {}
  const told = { before: {} as Told, after: {} as Told }
  const simple = {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.member !== undefined && { member: body.member }),
    ...(body.paused !== undefined && { paused: body.paused }),
    ...limitColumns(body.limits),
  }
  for (const [name, value] of Object.entries(simple)) {
    const was = before[name as keyof typeof simple]
    if (was === value) continue
    Object.assign(columns, { [name]: value })
    told.before[name] = was
    told.after[name] = value
  }
  if (!body.smtp && !body.imap && body.password === undefined) return { columns, told }
  if (before.kind !== 'email') throw invalid('/smtp', 'not_allowed', 'is of e-mail accounts alone')
  const usesPassword = before.oauth === null || before.oauth === 'none'
  if (!usesPassword && (body.password ?? body.smtp?.password ?? body.imap?.password))
    throw invalid('/password', 'not_allowed', 'is not used: its owner agrees at the provider')
  const kept = passwordsOf(context, before)
  const passwords = { ...kept }
  for (const kind of ['smtp', 'imap'] as const) {
    const server = body[kind] ? changedServer(kind, body[kind], before, context) : undefined
    if (server) {
      columns[kind] = JSON.stringify(server)
      told.before[kind] = before[kind] && placeOf(before[kind])
      told.after[kind] = placeOf(server)
    }
    const password = body[kind]?.password ?? (server || before[kind] ? body.password : undefined)
    if (server && usesPassword && password === undefined)
      throw new ApiError('secret_needed', `/${kind}/password: is needed for another server.`, {
        errors: [
          {
            pointer: `/${kind}/password`,
            code: 'secret_needed',
            message: 'is needed, since the password stays only where it was given for',
          },
        ],
      })
    if (password !== undefined) passwords[kind] = password
  }
  if (passwords.smtp !== kept.smtp || passwords.imap !== kept.imap) {
    const place = { in: 'connections.secrets', id: before.id } as const
    columns.secrets = seal(keyOf(context), passwords, place)
    told.after['password'] = 'changed'
  }
  return { columns, told }
}

/** The server as it is to be; undefined if nothing of it changes. */
function changedServer(
  kind: 'smtp' | 'imap',
  edit: ServerEdit,
  { account, ...row }: AccountRow,
  { deployment }: AdminChangeContext,
): MailServer | undefined {
  const before = row[kind]
  const { password: _, ...rest } = edit
  const names = (['host', 'port', 'secure', 'user'] as const).filter(
    (name) => rest[name] !== undefined && rest[name] !== before?.[name],
  )
  if (before && names.length === 0) return undefined
  const server = serverOf(kind, edit, { account, before }, deployment)
  const { filesSent, folders } = before ?? {}
  return { ...server, ...(filesSent && { filesSent }), ...(folders && { folders }) }
}

const placeOf = ({ host, port, secure, user }: MailServer) => ({ host, port, secure, user })

function passwordsOf(context: AdminChangeContext, row: AccountRow): ConnectionSecrets {
  try {
    return connectionSecrets(keyOf(context), row)
  } catch (error) {
    // Sealed under another SECRET_KEY, nobody can read them any more.
    if (error instanceof SealError) return {}
    throw error
  }
}

/** Nobody can log in to it before its owner has agreed. */
async function addByConsent(context: AdminChangeContext, request: VerificationRequest) {
  const { db, workspace, clock, changed } = context
  const id = await addConnection(db, keyOf(context), {
    workspace: workspace.id,
    request,
    secrets: {},
  })
  await withinQuotas(context, { connections: 1 })
  changed(id, undefined, { account: request.account, member: request.member })
  const connection = found(await findAdministered(db, workspace.id, id, clock), 'connection')
  return { connection, verified: { smtp: 'consent_needed', imap: 'consent_needed' } }
}

/** @throws ApiError unavailable in a process without SECRET_KEY. */
function keyOf({ secretKey }: Pick<AdminChangeContext, 'secretKey'>) {
  if (secretKey !== undefined) return secretKey
  throw new ApiError('unavailable', 'This service was started without SECRET_KEY.')
}

function tooMany({ of, retryAfter }: TooMany) {
  const message =
    of === 'asker'
      ? `A token tries at most ${triesOf.asker} mailboxes in a minute.`
      : `A mailbox is tried at most ${triesOf.account} times in an hour.`
  return new ApiError('rate_limited', message, { headers: { 'Retry-After': String(retryAfter) } })
}
