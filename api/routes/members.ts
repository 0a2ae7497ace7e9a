import { z } from 'zod'
import { changesLetters } from '../../db/campaign-words.ts'
import { listMembers, lockMember, updateMember } from '../../db/members.ts'
import { editsLetters, lettersEdited } from '../campaign-words.ts'
import { changesOf } from '../changes.ts'
import { found } from '../errors.ts'
import { change, read } from '../route.ts'
import { IdParams, next, optional, Paging, readCursor } from '../shapes.ts'

const Member = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    jobTitle: z.string(),
    zone: z.string(),
    signature: z.string(),
  })
  .meta({ id: 'Member' })

export const routes = [
  read({
    path: '/members',
    summary: 'Who works here, and what each told the agents about themselves',
    scopes: ['inbox:read'],
    reduced: true,
    query: Paging,
    response: z.object({ members: z.array(Member), next }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      return { members: await listMembers(db, workspace.id), next: null }
    },
  }),
  change({
    method: 'PATCH',
    path: '/members/{id}',
    summary: "Change a member's job title, zone or signature",
    description: editsLetters,
    scopes: ['inbox:write'],
    reduced: true,
    action: 'member.edited',
    params: IdParams,
    // The interface leaves it open: any member may be edited by whoever holds inbox:write, and empty text erases.
    body: z.strictObject({
      jobTitle: optional(z.string().max(200)),
      zone: optional(z.string().max(2000)),
      signature: optional(z.string().max(5000)),
    }),
    response: Member,
    handler: async ({ params, body }, context) => {
      const { db, workspace, changed } = context
      const now = found(await lockMember(db, workspace.id, params.id), 'member')
      const edit = changesOf(now, body)
      if (!edit) return now
      if (changesLetters('members', edit.before, edit.after))
        await lettersEdited(context, { table: 'members', id: now.id })
      await updateMember(db, now.id, edit.after)
      changed(now.id, edit.before, edit.after)
      return { ...now, ...edit.after }
    },
  }),
]
