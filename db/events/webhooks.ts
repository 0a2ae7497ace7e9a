import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { heldWhy } from '../holds.ts'
import { type SecretKey, unseal } from '../secrets.ts'

// Addresses that events are posted to.

/** The sealed content of a webhook: the current secret and, until previousUntil, the one before it. */
export type WebhookSecrets = { current: string; previous?: string }

/** The secrets that sign what is sent to a webhook at `now`. */
export function secretsOf(
  secretKey: SecretKey,
  webhook: Pick<WebhookRow, 'id' | 'secret' | 'previousUntil'>,
  now: Date,
): string[] {
  const { current, previous } = unseal<WebhookSecrets>(secretKey, webhook.secret, {
    in: 'webhooks.secret',
    id: webhook.id,
  })
  const both = previous && webhook.previousUntil && webhook.previousUntil > now
  return both ? [current, previous] : [current]
}

/** The webhooks of a workspace; `heldWhy` says why nothing is sent to them, if the workspace is held. */
const webhooksOf = (db: Db, workspace: string) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .select(heldWhy(sql.ref('webhooks.workspace')).as('heldWhy'))
    .where('workspace', '=', workspace)

export const findWebhook = (db: Db, workspace: string, id: string) =>
  webhooksOf(db, workspace).where('id', '=', id).executeTakeFirst()

export type WebhookRow = NonNullable<Awaited<ReturnType<typeof findWebhook>>>

export const lockWebhook = (trx: Trx, workspace: string, id: string) =>
  webhooksOf(trx, workspace).where('id', '=', id).forUpdate().executeTakeFirst()

export const listWebhooks = (db: Db, workspace: string) =>
  webhooksOf(db, workspace).orderBy('createdAt').orderBy('id').execute()

export const insertWebhook = (
  trx: Trx,
  webhook: {
    id: string
    workspace: string
    member: string
    url: string
    kinds: string[]
    enabled: boolean
    secret: string
    now: Date
  },
) => {
  const { now, ...rest } = webhook
  return trx
    .insertInto('webhooks')
    .values({ ...rest, createdAt: now, updatedAt: now })
    .execute()
}

export const countWebhooks = async (db: Db, workspace: string): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('webhooks')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('workspace', '=', workspace)
        .executeTakeFirstOrThrow()
    ).count,
  )

export type WebhookEdit = {
  url?: string
  kinds?: string[]
  enabled?: boolean
  secret?: string
  previousUntil?: Date
  problem?: string | null
  failingSince?: Date | null
  failures?: number
}

export const updateWebhook = (trx: Db, id: string, edit: WebhookEdit, now: Date) =>
  trx
    .updateTable('webhooks')
    .set({ ...edit, updatedAt: now })
    .where('id', '=', id)
    .execute()

/** The deliveries are deleted too; those in progress end when they next read their row. */
export const deleteWebhook = (trx: Trx, id: string) =>
  trx.deleteFrom('webhooks').where('id', '=', id).execute()

/** Switches a webhook off for a reason; undefined if it is off already. Answers who is to be notified. */
export const disableWebhook = (db: Db, id: string, problem: 'gone' | 'failing', now: Date) =>
  db
    .updateTable('webhooks')
    .set({ enabled: false, problem, updatedAt: now })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .returning(['workspace', 'member'])
    .executeTakeFirst()
