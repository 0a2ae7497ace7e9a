import { z } from 'zod'
import {
  findNotificationIds,
  listNotifications,
  markRead,
} from '../../../db/events/notifications.ts'
import { ApiError, type Problem } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import { Id, iso, next, OwnId, optional, Paging, page, readCursor } from '../../shapes/shapes.ts'

const Notification = z
  .object({
    id: OwnId,
    at: z.string().describe('When it was created.'),
    kind: z
      .string()
      .describe(
        'What it is about, such as `reply`, `message.failed`, `touch.unconfirmed` or `conversation.assigned`.',
      ),
    text: z.string().describe('The text of the notification.'),
    conversation: z
      .string()
      .nullable()
      .describe('The id of the conversation it is about; null if it is about none.'),
    read: z.boolean().describe('Whether it was marked as read.'),
  })
  .meta({ id: 'Notification' })

export const routes = [
  read({
    path: '/notifications',
    operationId: 'listNotifications',
    summary: 'List your notifications',
    description: 'The notifications of the member to whom the token belongs, newest first.',
    scopes: ['inbox:read'],
    query: Paging,
    response: z
      .object({
        notifications: z.array(Notification).describe('Your notifications, newest first.'),
        next,
      })
      .meta({ id: 'NotificationList' }),
    handler: async ({ query }, { db, member }) => {
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listNotifications(db, member.id, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.at), row.id])
      const notifications = items.map(({ readAt, at, ...row }) => ({
        ...row,
        at: iso(at),
        read: readAt !== null,
      }))
      return { notifications, next }
    },
  }),
  change({
    method: 'POST',
    path: '/notifications/read',
    operationId: 'markNotificationsRead',
    summary: 'Mark notifications as read',
    description: 'Marks the given notifications, or all.',
    scopes: ['inbox:write'],
    action: 'notifications.read',
    // An empty list marks none.
    body: z
      .strictObject({
        ids: optional(z.array(Id).max(1000)).describe(
          'The ids of the notifications to mark; by default all unread ones.',
        ),
      })
      .meta({ id: 'NotificationSelection' }),
    response: z
      .object({ read: z.number().describe('The number of them that were unread.') })
      .meta({ id: 'NotificationsRead' }),
    handler: async ({ body: { ids } }, { db, member, clock, changed }) => {
      if (ids) refuseUnknown(ids, await findNotificationIds(db, member.id, ids))
      const count = await markRead(db, member.id, ids, clock.now())
      if (count > 0) changed(member.id, undefined, { read: count })
      return { read: count }
    },
  }),
]

function refuseUnknown(ids: string[], known: Set<string>) {
  const errors = ids.flatMap((id, i): Problem[] =>
    known.has(id)
      ? []
      : [{ pointer: `/ids/${i}`, code: 'unknown_id', message: 'is not one of your notifications' }],
  )
  if (errors.length > 0)
    throw new ApiError('validation_failed', `${errors[0]?.pointer}: ${errors[0]?.message}`, {
      errors,
    })
}
