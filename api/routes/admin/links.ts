import { z } from 'zod'
import { createLink } from '../../../db/accounts/connect-links.ts'
import { isMember } from '../../../db/workspace/members.ts'
import { readEmail } from '../../../rules/addresses.ts'
import { longestReturnTo, returnToIn } from '../../../rules/return-to.ts'
import { invalid } from '../../http/errors.ts'
import { adminChange } from '../../route.ts'
import { Id, IdParams, iso, OneLine, optional } from '../../shapes/shapes.ts'

const usualHours = 72
const mostHours = 168

const LinkRequest = z
  .strictObject({
    member: Id.describe('The id of the member whose connection the mailbox becomes.'),
    account: optional(OneLine(254)).describe(
      'The one address that the link is for; left out, its reader enters theirs.',
    ),
    expiresInHours: optional(z.number().int().min(1).max(mostHours)).describe(
      `For how many hours the link is good; by default ${usualHours}.`,
    ),
    returnTo: optional(z.string().max(longestReturnTo)).describe(
      'Where its reader is led back to, with `state=connected` and `connection`, or with `state=cancelled`, in the query. It lies at one of the origins in `ADMIN_RETURN_ORIGINS`.',
    ),
  })
  .meta({ id: 'NewMailboxLink' })

export const routes = [
  adminChange({
    method: 'POST',
    path: '/workspaces/{id}/links',
    operationId: 'createMailboxLink',
    summary: 'Create a link for the owner of a mailbox',
    description:
      'Makes a link to a page on which somebody connects their mailbox: by the consent of Google or Microsoft, or by its password, which the page tries. The link is good until it has connected one, until five logins were refused, or until it expires, and ends with the token and the member that it was made with; then the page answers 410.',
    scopes: ['connections'],
    action: 'channel.link_created',
    params: IdParams,
    body: LinkRequest,
    response: z
      .object({
        url: z
          .string()
          .nullable()
          .describe(
            'The address of the page, for the owner of the mailbox alone. A replay of the call shows it for an hour, to the token that made the call; afterwards, and to others, it is null.',
          ),
        expiresAt: z.string().describe('Until when it is good.'),
      })
      .meta({ id: 'MailboxLink' }),
    confidential: 'url',
    async handler({ body }, { db, workspace, client, token, deployment, changed }) {
      const { member, account, expiresInHours = usualHours, returnTo } = body
      if (!(await isMember(db, workspace.id, member)))
        throw invalid('/member', 'unknown_id', 'is not a member of this workspace')
      const read = account === undefined ? undefined : readEmail(account)
      if (account !== undefined && !read)
        throw invalid('/account', 'invalid_value', 'must be an e-mail address')
      const allowed = deployment.returnOrigins ?? []
      const back = returnTo === undefined ? null : returnToIn(returnTo, allowed)
      if (back === undefined)
        throw invalid(
          '/returnTo',
          'invalid_value',
          'must be an address at one of the origins that the operator has named in ADMIN_RETURN_ORIGINS',
        )
      const { ticket, expiresAt } = await createLink(db, {
        ...{ workspace: workspace.id, member, client, token, expiresInHours },
        account: read?.given ?? null,
        returnTo: back,
      })
      const after = { member, account: read?.given ?? null, expiresAt: iso(expiresAt) }
      changed(member, undefined, after)
      return { url: `${deployment.publicUrl}/connect/${ticket}`, expiresAt: iso(expiresAt) }
    },
  }),
]
