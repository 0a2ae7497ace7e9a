import { z } from 'zod'
import { changesLetters } from '../../../db/campaigns/written-with.ts'
import {
  isAccountOf,
  listMembers,
  lockMember,
  updateMember,
} from '../../../db/workspace/members.ts'
import { found, invalid } from '../../http/errors.ts'
import { type ChangeContext, change, read } from '../../route.ts'
import { MemberCard } from '../../shapes/member.ts'
import { Id, IdParams, NoNext, optional, readCursor, WholeList } from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'
import { editsLetters, lettersEdited } from '../written-with.ts'

const Member = MemberCard.extend({
  defaultConnection: z
    .string()
    .nullable()
    .describe(
      'The id of the account through which their calls write where several fit; null if none is set, or it is not theirs any more.',
    ),
}).meta({ id: 'Member' })
const ReducedMember = MemberCard.meta({ id: 'Member' })

// The interface leaves this open: whoever holds inbox:write may edit any member, and an empty text erases.
const ReducedEdit = z
  .strictObject({
    jobTitle: optional(z.string().max(200)).describe(
      'What they do in the company; an empty text erases it.',
    ),
    zone: optional(z.string().max(2000)).describe(
      'What they handle, in words; an empty text erases it.',
    ),
    signature: optional(z.string().max(5000)).describe(
      'How they sign letters; an empty text erases it.',
    ),
  })
  .meta({ id: 'MemberUpdate' })
const Edit = ReducedEdit.extend({
  defaultConnection: Id.nullish().describe(
    'The id of the account of theirs through which their calls write where several fit, in place of a refusal with `sender_ambiguous`; null for none.',
  ),
}).meta({ id: 'MemberUpdate' })

/** @throws ApiError 422 unless the account is the member's. */
async function requireOwn(
  { db, workspace }: ChangeContext,
  member: string,
  connection: string | null | undefined,
) {
  if (!connection || (await isAccountOf(db, workspace.id, member, connection))) return
  throw invalid('/defaultConnection', 'unknown_id', 'must be a connection of this member')
}

export const routes = [
  read({
    path: '/members',
    operationId: 'listMembers',
    summary: 'List members',
    description:
      'The people who work here, and what each of them told the agents about themselves.',
    scopes: ['inbox:read'],
    reduced: {
      response: z
        .object({
          members: z.array(ReducedMember).describe('All members of the workspace.'),
          next: NoNext,
        })
        .meta({ id: 'MemberList' }),
    },
    query: WholeList,
    response: z
      .object({
        members: z.array(Member).describe('All members of the workspace.'),
        next: NoNext,
      })
      .meta({ id: 'MemberList' }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      return { members: await listMembers(db, workspace.id), next: null }
    },
  }),
  change({
    method: 'PATCH',
    path: '/members/{id}',
    operationId: 'updateMember',
    summary: 'Edit a member',
    description: editsLetters,
    scopes: ['inbox:write'],
    reduced: { body: ReducedEdit, response: ReducedMember },
    action: 'member.edited',
    params: IdParams,
    body: Edit,
    response: Member,
    handler: async ({ params, body }, context) => {
      const { db, workspace, changed } = context
      const now = found(await lockMember(db, workspace.id, params.id), 'member')
      await requireOwn(context, now.id, body.defaultConnection)
      const edit = changesOf(now, body)
      if (!edit) return now
      if (changesLetters('members', edit.before, edit.after))
        await lettersEdited(context, { table: 'members', id: now.id })
      else if ('jobTitle' in edit.after) await lettersEdited(context, { jobTitleOf: now.id })
      await updateMember(db, now.id, edit.after)
      changed(now.id, edit.before, edit.after)
      return { ...now, ...edit.after }
    },
  }),
]
