import { z } from 'zod'
import {
  changesLetters,
  lockWrittenWith,
  withdrawLetters,
} from '../../../db/campaigns/written-with.ts'
import { newId } from '../../../db/ids.ts'
import { editAccount, lockAccount } from '../../../db/inbox/connection-edits.ts'
import {
  type Belongings,
  countBelongings,
  handOver,
  leave,
  listConnectionsOf,
} from '../../../db/workspace/leaving.ts'
import {
  insertMember,
  lockLeaving,
  lockMember,
  updateMember,
  wasMember,
} from '../../../db/workspace/members.ts'
import { shownEmail } from '../../../rules/addresses.ts'
import { plainLine } from '../../../rules/text.ts'
import { ApiError, found, invalid } from '../../http/errors.ts'
import { type AdminChangeContext, adminChange } from '../../route.ts'
import { MemberCard } from '../../shapes/member.ts'
import { Deleted, Id, optional, Words } from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'

// Who works in a workspace, as the workspace file describes it.

const Member = MemberCard.meta({ id: 'AdministeredMember' })

const Name = z.string().overwrite(plainLine).trim().min(1).max(300)
const Address = z
  .string()
  .overwrite(shownEmail)
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, { message: 'must be an e-mail address' })
const about = {
  jobTitle: optional(z.string().max(300).overwrite(plainLine)).describe(
    'What they do in the company.',
  ),
  zone: optional(Words).describe('What they handle, in words.'),
  signature: optional(Words).describe('How they sign letters.'),
}
const NewMember = z
  .strictObject({
    id: optional(
      z
        .string()
        .min(1)
        .max(100)
        .regex(/^[\w.~-]+$/, { message: 'may contain only letters, digits and . _ ~ -' }),
    ).describe('Their id, unique in the whole database; by default one is made.'),
    name: Name.describe('The name of the member.'),
    email: Address.describe('Their e-mail address.'),
    ...about,
  })
  .meta({ id: 'NewAdministeredMember' })
const MemberEdit = z
  .strictObject({
    name: optional(Name).describe('The name of the member.'),
    email: optional(Address).describe('Their e-mail address.'),
    ...about,
  })
  .meta({ id: 'AdministeredMemberUpdate' })

const HandedOver = z
  .object({
    conversations: z.number().describe('How many conversations they owned.'),
    connections: z.number().describe('How many accounts were theirs.'),
    calendars: z.number().describe('How many calendars on other servers were theirs.'),
    meetings: z
      .number()
      .describe('How many booked meetings of their own calendar were not over yet.'),
    tasks: z.number().describe('How many tasks they had given that are still to be done.'),
    routingRules: z.number().describe('How many routing rules gave conversations to them.'),
    webhooks: z.number().describe('How many webhooks they had made.'),
  })
  .meta({ id: 'HandedOver' })

const InWorkspace = z.object({ id: Id.describe('The id of the workspace.') })
const OfWorkspace = InWorkspace.extend({ member: Id.describe('The id of the member.') })

export const routes = [
  adminChange({
    method: 'POST',
    path: '/workspaces/{id}/members',
    operationId: 'createWorkspaceMember',
    summary: 'Add a member',
    description:
      'Adds somebody who works in the workspace. An id that one of its members has, or had before they left, is 409 `conflict`.',
    scopes: ['members'],
    action: 'member.created',
    params: InWorkspace,
    body: NewMember,
    response: Member,
    errors: ['conflict'],
    async handler({ body }, { db, workspace, changed }) {
      const id = body.id ?? newId('mem')
      const made = await insertMember(db, workspace.id, { ...body, id })
      if (made) {
        const { id: _, ...after } = made
        changed(id, undefined, after)
        return made
      }
      if (await wasMember(db, workspace.id, id))
        throw new ApiError('conflict', `${id} is or was a member of this workspace.`)
      throw invalid('/id', 'unavailable', 'cannot be used: choose another id')
    },
  }),

  adminChange({
    method: 'PATCH',
    path: '/workspaces/{id}/members/{member}',
    operationId: 'updateWorkspaceMember',
    summary: 'Change a member',
    description:
      'Changes what is given; an empty text erases. With another name or signature, letters that are written but not sent have to be agreed again.',
    scopes: ['members'],
    action: 'member.edited',
    params: OfWorkspace,
    body: MemberEdit,
    response: Member,
    async handler({ params, body }, { db, workspace, changed }) {
      const { defaultConnection: _, ...now } = found(
        await lockMember(db, workspace.id, params.member),
        'member',
      )
      const edit = changesOf(now, body)
      if (!edit) return now
      const hanging = changesLetters('members', edit.before, edit.after)
        ? ({ table: 'members', id: now.id } as const)
        : 'jobTitle' in edit.after
          ? { jobTitleOf: now.id }
          : undefined
      if (hanging) await withdrawLetters(db, await lockWrittenWith(db, workspace.id, hanging))
      await updateMember(db, now.id, edit.after)
      changed(now.id, edit.before, edit.after)
      return { ...now, ...edit.after }
    },
  }),

  adminChange({
    method: 'DELETE',
    path: '/workspaces/{id}/members/{member}',
    operationId: 'deleteWorkspaceMember',
    summary: 'Let a member leave',
    description:
      'What is theirs goes to the member `to`: conversations, accounts, calendars, meetings to come, tasks that are still to be done, routing rules and webhooks. Of many conversations 500 go at once, and the others within minutes. Without `to`, where something is theirs, the call is 422 `needs_successor`. Their tokens are revoked, and links for them end. Notes, tasks that have ended, meetings that are over, notifications and the audit log keep their id.',
    scopes: ['members'],
    action: 'member.deleted',
    params: OfWorkspace,
    body: z
      .strictObject({
        to: optional(Id).describe('The id of the member who takes over what is theirs.'),
      })
      .meta({ id: 'Successor' }),
    response: Deleted.extend({
      to: z.string().nullable().describe('Who has taken over what was theirs; null if nobody has.'),
      handedOver: HandedOver.describe('What has gone to them.'),
      tokensRevoked: z.number().describe('How many tokens were revoked.'),
    }).meta({ id: 'DeletedMember' }),
    errors: ['needs_successor'],
    async handler({ params, body }, context) {
      const { db, workspace, clock, changed } = context
      const { to = null } = body
      const now = clock.now()
      const both = await lockLeaving(db, workspace.id, [params.member, ...(to ? [to] : [])])
      const member = found(
        both.find(({ id }) => id === params.member),
        'member',
      )
      if (to === member.id) throw invalid('/to', 'invalid_value', 'must be another member')
      if (to && both.length < 2)
        throw invalid('/to', 'unknown_id', 'is not a member of this workspace')
      const handedOver = to
        ? await giveTo(context, { from: member.id, to, now })
        : await nothingOf(context, member.id, now)
      const tokensRevoked = await leave(db, workspace.id, {
        ...{ member: member.id, successor: to, now },
      })
      const { id, ...before } = member
      changed(id, before, { to, handedOver, tokensRevoked }, undefined, { owner: to })
      return { id, deleted: true as const, to, handedOver, tokensRevoked }
    },
  }),
]

/** @throws ApiError needs_successor. */
async function nothingOf({ db, workspace }: AdminChangeContext, member: string, now: Date) {
  const { verifications, ...theirs } = await countBelongings(db, workspace.id, member, now)
  const all = Object.entries({ ...theirs, verifications }).filter(([, count]) => count > 0)
  if (all.length === 0) return theirs
  const what = all.map(([name, count]) => `${nounOf[name as keyof typeof nounOf]}: ${count}`)
  const message = `is needed, since something is theirs (${what.join(', ')})`
  throw new ApiError('needs_successor', `/to: ${message}`, {
    errors: [{ pointer: '/to', code: 'needs_successor', message }],
  })
}

const nounOf = {
  conversations: 'conversations',
  connections: 'accounts',
  calendars: 'calendars',
  meetings: 'meetings to come',
  tasks: 'tasks to be done',
  routingRules: 'routing rules',
  webhooks: 'webhooks',
  verifications: 'mailboxes that are being added',
}

async function giveTo(
  { db, workspace }: AdminChangeContext,
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<Belongings> {
  const accounts = await listConnectionsOf(db, workspace.id, from)
  // Letters through their accounts were signed by them, and somebody else signs from now on.
  if (accounts.some(({ kind }) => kind === 'email')) {
    const hanging = { table: 'members', id: from } as const
    await withdrawLetters(db, await lockWrittenWith(db, workspace.id, hanging))
  }
  for (const { id } of accounts) {
    const row = await lockAccount(db, workspace.id, id)
    if (row) await editAccount(db, row, { member: to }, now)
  }
  const rest = await handOver(db, workspace.id, { from, to, now })
  return { ...rest, connections: accounts.length }
}
