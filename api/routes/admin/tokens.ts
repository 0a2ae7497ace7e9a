import { z } from 'zod'
import { notify } from '../../../db/events/notifications.ts'
import { lockMember } from '../../../db/workspace/members.ts'
import {
  createToken,
  listTokensOf,
  lockToken,
  revokeToken,
  type TokenCard,
} from '../../../db/workspace/tokens.ts'
import { scopes } from '../../../rules/scopes.ts'
import { found, invalid } from '../../http/errors.ts'
import { adminChange, adminRead } from '../../route.ts'
import {
  Application,
  CreatedAt,
  Id,
  iso,
  isoOrNull,
  next,
  OneLine,
  OwnId,
  optional,
  Paging,
  page,
  readCursor,
  withValues,
} from '../../shapes/shapes.ts'

// The tokens of the members of a workspace. None of them opens the administration, and no call makes one that does.

const usualDays = 90
const mostDays = 365

const Token = z
  .object({
    id: OwnId,
    client: Application.describe('The application that holds the token.'),
    member: z.string().describe('The id of the member on whose behalf it calls.'),
    scopes: z.array(z.string()).describe('What it may do.'),
    createdAt: CreatedAt,
    lastUsedAt: z
      .string()
      .nullable()
      .describe('When it was last used, to within a minute or so; null if it never was.'),
    expiresAt: z.string().describe('Until when it is good.'),
    revokedAt: z.string().nullable().describe('When it was revoked; null if it was not.'),
  })
  .meta({ id: 'MemberToken' })

const NewToken = z
  .strictObject({
    member: Id.describe('The id of the member on whose behalf it calls.'),
    client: OneLine(100)
      .trim()
      .min(1)
      .describe('The name of the application that will hold it; the audit log has it.'),
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .max(20)
      .describe(
        withValues('What it may do.', {
          'inbox:read': 'read everything',
          'inbox:write': 'change everything but segments and campaigns',
          'campaigns:write': 'change segments and campaigns',
          send: 'send something to clients',
        }),
      ),
    days: optional(z.number().int().min(1).max(mostDays)).describe(
      'For how many days it is good, by default 90.',
    ),
  })
  .meta({ id: 'MemberTokenRequest' })

const present = ({ workspace: _, clientId, clientName, ...row }: TokenCard) => ({
  id: row.id,
  client: { id: clientId, name: clientName },
  member: row.member,
  scopes: row.scopes,
  createdAt: iso(row.createdAt),
  lastUsedAt: isoOrNull(row.lastUsedAt),
  expiresAt: iso(row.expiresAt),
  revokedAt: isoOrNull(row.revokedAt),
})

const InWorkspace = z.object({ id: Id.describe('The id of the workspace.') })
const OfWorkspace = InWorkspace.extend({ token: Id.describe('The id of the token.') })

export const routes = [
  adminRead({
    path: '/workspaces/{id}/tokens',
    operationId: 'listTokens',
    summary: 'List the tokens of a workspace',
    description:
      'The tokens of its members, also those that were revoked or have expired, in the order of their ids. The tokens themselves are not kept, and not shown.',
    scopes: ['tokens'],
    params: InWorkspace,
    query: Paging,
    response: z
      .object({ tokens: z.array(Token).describe('The tokens.'), next })
      .meta({ id: 'MemberTokenList' }),
    handler: async ({ query }, { db, workspace }) => {
      const [after] = readCursor(query.cursor, 'text') ?? []
      const rows = await listTokensOf(db, workspace.id, { after, limit: query.limit + 1 })
      const { items, next } = page(rows, query.limit, ({ id }) => [id])
      return { tokens: items.map(present), next }
    },
  }),

  adminChange({
    method: 'POST',
    path: '/workspaces/{id}/tokens',
    operationId: 'createToken',
    summary: 'Create a token for a member',
    description:
      'Makes a token for `/api/v1` on behalf of a member, who is notified of it. The token is shown only here; a replay of the call shows it for an hour, to the token that made the call.',
    scopes: ['tokens'],
    action: 'access.opened',
    params: InWorkspace,
    body: NewToken,
    response: Token.extend({
      token: z
        .string()
        .nullable()
        .describe('The token, to be kept like a password; null in later replays and to others.'),
    }).meta({ id: 'NewMemberToken' }),
    confidential: 'token',
    async handler({ body }, { db, workspace, client, clock, changed }) {
      const wanted = [...new Set(body.scopes)]
      // Locked, so that a member who leaves meanwhile leaves no token behind.
      const member = await lockMember(db, workspace.id, body.member)
      if (!member) throw invalid('/member', 'unknown_id', 'is not a member of this workspace')
      const { row, token } = await createToken(db, {
        workspace: workspace.id,
        member: member.id,
        client: body.client,
        scopes: wanted,
        days: body.days ?? usualDays,
      })
      const expiresAt = iso(row.expiresAt)
      await notify(db, {
        workspace: workspace.id,
        member: member.id,
        at: clock.now(),
        kind: 'access.opened',
        text: `${client.name} has made a token in your name for ${body.client}, with the scopes ${wanted.join(', ')}, good until ${expiresAt.slice(0, 10)}.`,
      })
      const after = { member: member.id, application: body.client, scopes: wanted, expiresAt }
      changed(row.id, undefined, after)
      return { ...present(row), token }
    },
  }),

  adminChange({
    method: 'DELETE',
    path: '/workspaces/{id}/tokens/{token}',
    operationId: 'revokeToken',
    summary: 'Revoke a token of a member',
    description: 'From then on the token opens nothing. One that is revoked already stays so.',
    scopes: ['tokens'],
    action: 'access.closed',
    params: OfWorkspace,
    response: Token,
    async handler({ params }, { db, workspace, changed }) {
      const before = found(await lockToken(db, workspace.id, params.token), 'token')
      if (before.revokedAt) return present(before)
      await revokeToken(db, before.id)
      const { member, clientName: application, scopes } = before
      changed(before.id, undefined, {
        ...{ member, application, scopes, expiresAt: iso(before.expiresAt) },
      })
      return present(found(await lockToken(db, workspace.id, before.id), 'token'))
    },
  }),
]
