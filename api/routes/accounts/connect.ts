import { z } from 'zod'
import { findChannel } from '../../../db/accounts/channels.ts'
import { createTicket } from '../../../db/accounts/connect-tickets.ts'
import { needsOwner } from '../../../oauth/provider.ts'
import { ApiError, found } from '../../http/errors.ts'
import { change } from '../../route.ts'
import { IdParams, iso } from '../../shapes/shapes.ts'

// Beyond the interface: the link with which the owner of an account consents that it is logged in to.

const Link = z
  .object({
    url: z
      .string()
      .nullable()
      .describe(
        'The address of the page, for the owner of the account alone. A replay of the call shows it for an hour, to the token that made the call; afterwards, and to others, it is null.',
      ),
    expiresAt: z.string().describe('Until when it can be opened.'),
  })
  .meta({ id: 'ConnectLink' })

export const routes = [
  change({
    method: 'POST',
    path: '/channels/{id}/connect',
    summary: 'Create a link for the consent of an owner',
    description:
      'Makes a link to a page on which the owner of an account that logs in by OAuth 2.0 agrees at its provider. The link works once, for a day. An account that needs no consent answers 409 `invalid_state`.',
    scopes: ['inbox:write', 'send'],
    action: 'channel.link_created',
    params: IdParams,
    response: Link,
    errors: ['invalid_state'],
    confidential: 'url',
    async handler({ params }, { db, workspace, member, client, deployment, changed }) {
      const channel = found(await findChannel(db, workspace.id, params.id), 'channel')
      if (!needsOwner(channel))
        throw new ApiError(
          'invalid_state',
          'This account does not log in by the consent of its owner.',
        )
      const by = { member: member.id, client }
      const { ticket, expiresAt } = await createTicket(db, {
        workspace: workspace.id,
        connection: channel.id,
        by,
      })
      changed(channel.id, undefined, { expiresAt: iso(expiresAt) })
      return { url: `${deployment.publicUrl}/connect/${ticket}`, expiresAt: iso(expiresAt) }
    },
  }),
]
