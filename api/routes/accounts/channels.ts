import { z } from 'zod'
import { findChannel, listChannels, listFolders } from '../../../db/accounts/channels.ts'
import { createTicket } from '../../../db/accounts/connect-tickets.ts'
import { needsOwner } from '../../../oauth/provider.ts'
import { ApiError, found } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import {
  IdParams,
  iso,
  isoOrNull,
  NoNext,
  OwnId,
  readCursor,
  WholeList,
  withValues,
} from '../../shapes/shapes.ts'

// The accounts that a workspace writes and reads with, as its members see them; senders.ts lists those that may send.

const Channel = z
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
    alive: z
      .boolean()
      .describe(
        'Whether it works, as far as is known: false if the last check could not log in, and until its owner consents. `problem` says why.',
      ),
    problem: z
      .string()
      .nullable()
      .describe(
        'The problem with it, as a stable code such as `smtp_unreachable`, `imap_login_refused` or `consent_needed` (see `POST /channels/{id}/connect`); while the account rests, its cause: `smtp_quota`, `smtp_rate`, `smtp_sessions`, `smtp_sender_refused`, `smtp_disabled`, `smtp_unpaid` or `smtp_refusing`; while its mailbox cannot be read, why: `imap_login_refused`, `imap_throttled`, `imap_too_many_sessions`, `imap_bandwidth`, `imap_unavailable`, `imap_unreachable`, `imap_incomplete` or `imap_folder`; null if there is none.',
      ),
    restsUntil: z
      .string()
      .nullable()
      .describe(
        'Until when the account rests because of what its provider has said; null if it does not rest, or rests until somebody acts.',
      ),
    readAt: z
      .string()
      .nullable()
      .describe(
        'When all folders of its mailbox were last known to be read to their ends; null if they never were, or it has no mailbox that is read.',
      ),
    folders: z
      .number()
      .nullable()
      .describe(
        'How many folders of its mailbox are read; null before the first one is, or if it has no mailbox that is read.',
      ),
    checkedAt: z
      .string()
      .nullable()
      .describe('When it was last checked; null before the first check.'),
  })
  .meta({ id: 'Channel' })
const ReducedChannel = Channel.omit({ folders: true }).meta({ id: 'Channel' })
const every = 'All connections of the workspace.'

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

const Folder = z
  .object({
    id: OwnId,
    name: z.string().describe('The name of the folder.'),
    channel: z.string().describe('The id of its connection.'),
    conversations: z.number().describe('The number of conversations in it.'),
  })
  .meta({ id: 'MessengerFolder' })

export const routes = [
  read({
    path: '/channels',
    operationId: 'listChannels',
    summary: 'List connections',
    description: 'The accounts of the workspace, and whether each of them works.',
    scopes: ['inbox:read'],
    reduced: {
      response: z
        .object({ channels: z.array(ReducedChannel).describe(every), next: NoNext })
        .meta({ id: 'ChannelList' }),
    },
    query: WholeList,
    response: z
      .object({ channels: z.array(Channel).describe(every), next: NoNext })
      .meta({ id: 'ChannelList' }),
    handler: async ({ query }, { db, workspace, clock }) => {
      readCursor(query.cursor)
      const rows = await listChannels(db, workspace.id, clock.now())
      const channels = rows.map((row) => ({
        ...row,
        checkedAt: isoOrNull(row.checkedAt),
        restsUntil: isoOrNull(row.restsUntil),
        readAt: isoOrNull(row.readAt && clock.at(row.readAt)),
      }))
      return { channels, next: null }
    },
  }),

  change({
    method: 'POST',
    path: '/channels/{id}/connect',
    operationId: 'createConnectLink',
    summary: 'Create a link for the consent of an owner',
    description:
      'Makes a link to a page on which the owner of an account that logs in by OAuth 2.0 agrees at its provider. The link works once, for a day. An account that needs no consent answers 409 `invalid_state`.',
    scopes: ['inbox:write', 'send'],
    action: 'channel.link_created',
    params: IdParams,
    response: Link,
    errors: ['invalid_state'],
    confidential: 'url',
    async handler({ params }, { db, workspace, member, client, token, deployment, changed }) {
      const channel = found(await findChannel(db, workspace.id, params.id), 'channel')
      if (!needsOwner(channel))
        throw new ApiError(
          'invalid_state',
          'This account does not log in by the consent of its owner.',
        )
      const by = { member: member.id, client, token }
      const { ticket, expiresAt } = await createTicket(db, {
        workspace: workspace.id,
        connection: channel.id,
        by,
      })
      changed(channel.id, undefined, { expiresAt: iso(expiresAt) })
      return { url: `${deployment.publicUrl}/connect/${ticket}`, expiresAt: iso(expiresAt) }
    },
  }),

  read({
    path: '/channels/messenger-folders',
    operationId: 'listMessengerFolders',
    summary: 'List the folders of messengers',
    description: 'Each folder with its number of conversations.',
    scopes: ['inbox:read'],
    query: WholeList,
    response: z
      .object({
        folders: z.array(Folder).describe('All folders of the messenger accounts.'),
        next: NoNext,
      })
      .meta({ id: 'MessengerFolderList' }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      return { folders: await listFolders(db, workspace.id), next: null }
    },
  }),
]
