import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import {
  type DeliveryRow,
  listDeliveries,
  lockDelivery,
  redeliver,
} from '../../../db/events/deliveries.ts'
import { eventId } from '../../../db/events/events.ts'
import { interruptRunner } from '../../../db/events/webhook-runners.ts'
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  secretsOf,
  updateWebhook,
  type WebhookRow,
  type WebhookSecrets,
} from '../../../db/events/webhooks.ts'
import { heldWhyNow } from '../../../db/holds.ts'
import { newId } from '../../../db/ids.ts'
import { type SealBinding, type SecretKey, seal, unseal } from '../../../db/secrets.ts'
import { lockWorkspace } from '../../../db/workspace/workspaces.ts'
import { exchange } from '../../../process/network/exchange.ts'
import { resolvePublic } from '../../../process/network/public-host.ts'
import { refusedAs, webhookRequest } from '../../../process/network/webhook.ts'
import { unknownKind } from '../../../rules/event-kinds.ts'
import { ApiError, found, invalid } from '../../http/errors.ts'
import { type ChangeContext, change, type Deployment, read } from '../../route.ts'
import {
  CreatedAt,
  Deleted,
  HoldReason,
  Id,
  IdParams,
  iso,
  isoOrNull,
  NoNext,
  next,
  OwnId,
  optional,
  Paging,
  page,
  readCursor,
  UpdatedAt,
  WholeList,
  withValues,
} from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'

// Webhooks and what was delivered to them. One file, because a delivery has no address outside of its webhook.

// The interface leaves webhooks open: they follow Standard Webhooks 1.0 (standardwebhooks.com), all of it beyond the
// interface.

const Webhook = z
  .object({
    id: OwnId,
    url: z.string().describe('The address that events are sent to.'),
    kinds: z.array(z.string()).describe('The kinds of events to send; empty means all.'),
    enabled: z.boolean().describe('Whether events are sent.'),
    problem: z
      .string()
      .nullable()
      .describe(
        withValues('Why it was switched off automatically; null if it was not.', {
          gone: 'the address answered 410',
          failing: 'the address accepted nothing for three days',
        }),
      ),
    failingSince: z
      .string()
      .nullable()
      .describe('Since when the address has accepted nothing; null while it accepts events.'),
    restsUntil: z
      .string()
      .nullable()
      .describe(
        'Nothing is sent until then, because the address accepted nothing; null if it is not resting.',
      ),
    held: HoldReason.optional().describe(
      'Nothing is sent while the workspace is held; absent while it is not.',
    ),
    member: z
      .string()
      .describe('The id of the member who created it, and who is notified if it is switched off.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'Webhook' })
const WithSecret = Webhook.extend({
  secret: z
    .string()
    .nullable()
    .describe(
      'The secret with which events are signed, shown only this once; null if this call created none.',
    ),
}).meta({ id: 'WebhookWithSecret' })

const present = (row: WebhookRow): z.input<typeof Webhook> => ({
  id: row.id,
  url: row.url,
  kinds: row.kinds,
  enabled: row.enabled,
  problem: row.problem,
  failingSince: isoOrNull(row.failingSince),
  restsUntil: isoOrNull(row.restsUntil),
  ...(row.heldWhy !== null && { held: { why: row.heldWhy } }),
  member: row.member,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
})

const Url = z.string().max(2000).refine(isAddress, {
  message: 'must be an http or https address without a user name or password',
})

function isAddress(text: string) {
  if (!URL.canParse(text) || /[\0-\x20\ud800-\udfff]/u.test(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

// What counts is the address of the host at each delivery; this check only shows a client its mistake at once.
const lookUpWithinMs = 1000

/** @throws ApiError validation_failed if the host is one that no webhook may lead to, or its name already resolves to one. */
async function refusePrivate(url: string | undefined, { webhookAllowPrivate }: Deployment) {
  if (url === undefined || webhookAllowPrivate) return
  const found = await resolvePublic(new URL(url).hostname, { withinMs: lookUpWithinMs })
  if (found !== 'private_address') return
  throw invalid(
    '/url',
    'private_address',
    'leads to a machine that is not on the public internet; where that is intended, as during development, start the API and the worker with WEBHOOK_ALLOW_PRIVATE=true',
  )
}

const Kind = z
  .string()
  .max(100)
  .refine((kind) => unknownKind(kind) === undefined, {
    error: ({ input }) => unknownKind(String(input)) ?? '',
    params: { code: 'unknown_kind' },
  })
const Kinds = z
  .array(Kind)
  .max(100)
  .transform((kinds) => [...new Set(kinds)])
const to = 'The http or https address to send events to.'
const KindsGiven = optional(Kinds).describe(
  'The kinds of events to send, such as `message.received`, or `message.*` for all of a group; an empty list means all.',
)

// 24 to 64 bytes, as the standard requires.
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

// Every event is one request to each webhook. The interface leaves their number open.
const most = 20

// After a rotation both secrets sign for a day, so that receivers can change over without losing anything.
const overlapMs = 24 * 60 * 60 * 1000

/** @throws ApiError unavailable in a process without SECRET_KEY. */
function sealed({ secretKey }: ChangeContext, id: string, secrets: WebhookSecrets) {
  return seal(keyOf(secretKey), secrets, at(id))
}

const at = (webhook: string): SealBinding => ({ in: 'webhooks.secret', id: webhook })

function keyOf(secretKey: SecretKey | undefined) {
  if (secretKey !== undefined) return secretKey
  throw new ApiError('unavailable', 'This service was started without SECRET_KEY.')
}

// A test reaches out while its caller waits.
const testWithinMs = 10_000
const testsAMinute = 6
const tests = new Map<string, number[]>()

/** @throws ApiError rate_limited. */
function countTest(workspace: string) {
  const now = Date.now()
  for (const [of, times] of tests) if (now - (times.at(-1) ?? 0) > 60_000) tests.delete(of)
  const recent = (tests.get(workspace) ?? []).filter((at) => now - at <= 60_000)
  if (recent.length >= testsAMinute)
    throw new ApiError('rate_limited', `At most ${testsAMinute} webhooks are tested in a minute.`, {
      headers: { 'Retry-After': String(Math.ceil((60_000 - now + (recent[0] ?? now)) / 1000)) },
    })
  tests.set(workspace, [...recent, now])
}

const Delivery = z
  .object({
    id: OwnId,
    event: z
      .string()
      .describe('The id of the delivered event; it is the `webhook-id` of every attempt.'),
    kind: z.string().describe('The kind of the event, such as `message.received`.'),
    state: z.enum(['queued', 'delivered', 'failed']).describe(
      withValues('The state of the delivery.', {
        queued: 'it is still to be attempted',
        delivered: 'the address answered 2xx',
        failed: 'it was given up',
      }),
    ),
    attempts: z.number().describe('The number of attempts.'),
    status: z
      .number()
      .nullable()
      .describe('The HTTP status of the last answer; null if there was none.'),
    problem: z
      .string()
      .nullable()
      .describe('What went wrong in the last attempt, as a stable code; null if nothing did.'),
    at: z.string().describe('When the event was queued for the webhook.'),
    triedAt: z
      .string()
      .nullable()
      .describe('When it was last attempted; null before the first attempt.'),
    nextTryAt: z.string().nullable().describe('When it is attempted next; null if it is not.'),
  })
  .meta({ id: 'Delivery' })

const presentDelivery = (row: DeliveryRow): z.input<typeof Delivery> => ({
  id: row.id,
  event: eventId(row.event),
  kind: row.kind,
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  problem: row.problem,
  at: iso(row.createdAt),
  triedAt: isoOrNull(row.triedAt),
  nextTryAt: isoOrNull(row.nextTryAt),
})

export const routes = [
  change({
    method: 'POST',
    path: '/webhooks',
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Sends events to an address. The answer shows the secret with which they are signed, only this once.',
    scopes: ['inbox:write'],
    action: 'webhook.created',
    confidential: 'secret',
    body: z
      .strictObject({
        url: Url.describe(to),
        kinds: KindsGiven,
        enabled: optional(z.boolean()).describe('Whether events are sent; by default true.'),
      })
      .meta({ id: 'NewWebhook' }),
    example: { url: 'https://example.test/hooks', kinds: ['message.received'] },
    response: WithSecret,
    check: ({ body }, { deployment }) => refusePrivate(body.url, deployment),
    async handler({ body: { url, kinds = [], enabled = true } }, context) {
      const { db, workspace, member, clock } = context
      // Two calls at the same time are counted one after the other.
      await lockWorkspace(db, workspace.id)
      if ((await countWebhooks(db, workspace.id)) >= most)
        throw invalid('/url', 'too_many', `A workspace has at most ${most} webhooks.`)
      const id = newId('whk')
      const secret = newSecret()
      await insertWebhook(db, {
        id,
        workspace: workspace.id,
        member: member.id,
        url,
        kinds,
        enabled,
        secret: sealed(context, id, { current: secret }),
        now: clock.now(),
      })
      context.changed(id, undefined, { url, kinds, enabled })
      return { ...present(found(await findWebhook(db, workspace.id, id), 'webhook')), secret }
    },
  }),
  read({
    path: '/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    scopes: ['inbox:read'],
    query: WholeList,
    response: z
      .object({ webhooks: z.array(Webhook).describe('All webhooks.'), next: NoNext })
      .meta({ id: 'WebhookList' }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      return { webhooks: (await listWebhooks(db, workspace.id)).map(present), next: null }
    },
  }),
  read({
    path: '/webhooks/{id}',
    operationId: 'getWebhook',
    summary: 'Read a webhook',
    scopes: ['inbox:read'],
    params: IdParams,
    response: Webhook,
    handler: async ({ params }, { db, workspace }) =>
      present(found(await findWebhook(db, workspace.id, params.id), 'webhook')),
  }),
  change({
    method: 'PATCH',
    path: '/webhooks/{id}',
    operationId: 'updateWebhook',
    summary: 'Edit a webhook',
    description: 'With `rotate: true` it gets a new secret, which the answer shows only this once.',
    scopes: ['inbox:write'],
    action: 'webhook.edited',
    confidential: 'secret',
    params: IdParams,
    body: z
      .strictObject({
        url: optional(Url).describe(to),
        kinds: KindsGiven,
        enabled: optional(z.boolean()).describe('Whether events are sent.'),
        rotate: optional(z.boolean()).describe(
          'True gives it a new secret; both secrets sign for a day.',
        ),
      })
      .meta({ id: 'WebhookUpdate' }),
    example: { enabled: true, rotate: true },
    response: WithSecret,
    check: ({ body }, { deployment }) => refusePrivate(body.url, deployment),
    async handler({ params, body: { rotate, ...wanted } }, context) {
      const { db, workspace, clock } = context
      const row = found(await lockWebhook(db, workspace.id, params.id), 'webhook')
      const edit = changesOf<Pick<WebhookRow, 'url' | 'kinds' | 'enabled'>>(row, wanted as never)
      const now = clock.now()
      const secret = rotate ? newSecret() : null
      if (edit || secret) {
        await updateWebhook(
          db,
          row.id,
          {
            ...edit?.after,
            // A member who edits the webhook has seen what was wrong.
            ...(edit && { problem: null, failingSince: null, failures: 0 }),
            ...(secret && {
              secret: sealed(context, row.id, {
                current: secret,
                previous: unseal<WebhookSecrets>(keyOf(context.secretKey), row.secret, at(row.id))
                  .current,
              }),
              previousUntil: new Date(now.getTime() + overlapMs),
            }),
          },
          now,
        )
        if (edit) await interruptRunner(db, row)
        context.changed(row.id, edit?.before, { ...edit?.after, ...(secret && { rotated: true }) })
      }
      return { ...present(found(await findWebhook(db, workspace.id, row.id), 'webhook')), secret }
    },
  }),
  change({
    method: 'DELETE',
    path: '/webhooks/{id}',
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Nothing more is sent to its address, and its deliveries are deleted.',
    scopes: ['inbox:write'],
    action: 'webhook.deleted',
    params: IdParams,
    response: Deleted,
    async handler({ params }, { db, workspace, changed }) {
      const row = found(await lockWebhook(db, workspace.id, params.id), 'webhook')
      await interruptRunner(db, row)
      await deleteWebhook(db, row.id)
      changed(row.id, { url: row.url, kinds: row.kinds, enabled: row.enabled })
      return { id: row.id, deleted: true as const }
    },
  }),

  change({
    method: 'POST',
    path: '/webhooks/{id}/test',
    operationId: 'testWebhook',
    summary: 'Send a test to a webhook',
    description:
      'Sends `webhook.test` to its address at once, signed like every event, also where it is disabled. At most six a minute in a workspace.',
    scopes: ['inbox:write'],
    action: 'webhook.tested',
    params: IdParams,
    response: z
      .object({
        status: z
          .number()
          .nullable()
          .describe('The HTTP status of the answer; null if there was none.'),
        ms: z.number().describe('How many milliseconds it took.'),
        problem: z
          .string()
          .nullable()
          .describe(
            'What went wrong, as the code that a delivery would have; `held` if nothing was sent because the workspace is held; null if the address answered 2xx.',
          ),
      })
      .meta({ id: 'WebhookTest' }),
    async prepare({ params }, context) {
      const { db, workspace, clock, deployment } = context
      countTest(workspace.id)
      const webhook = found(await findWebhook(db, workspace.id, params.id), 'webhook')
      const secrets = secretsOf(keyOf(context.secretKey), webhook, clock.now())
      const publicOnly = !deployment.webhookAllowPrivate
      if ((await heldWhyNow(db, workspace.id)) !== null)
        return { status: null, ms: 0, problem: 'held' }
      const started = performance.now()
      const answer = await exchange(
        webhookRequest(
          { url: webhook.url, secrets, timeoutMs: testWithinMs, publicOnly },
          {
            id: newId('evt'),
            type: 'webhook.test',
            at: clock.now(),
            data: { workspace: workspace.id, resource: webhook.id },
          },
        ),
      )
      const ms = Math.round(performance.now() - started)
      if (answer.problem !== null) return { status: null, ms, problem: answer.problem }
      const { status } = answer
      const isTaken = status >= 200 && status < 300
      return { status, ms, problem: isTaken ? null : refusedAs(status) }
    },
    async handler({ params }, { db, workspace, changed }, tried) {
      const webhook = found(await findWebhook(db, workspace.id, params.id), 'webhook')
      changed(webhook.id, undefined, { status: tried.status, problem: tried.problem })
      return tried
    },
  }),
  read({
    path: '/webhooks/{id}/deliveries',
    operationId: 'listDeliveries',
    summary: 'List the deliveries of a webhook',
    description: 'The events that were sent and their outcome, newest first, kept for 30 days.',
    scopes: ['inbox:read'],
    params: IdParams,
    query: Paging,
    response: z
      .object({
        deliveries: z.array(Delivery).describe('The deliveries, newest first.'),
        next,
      })
      .meta({ id: 'DeliveryList' }),
    handler: async ({ params, query }, { db, workspace }) => {
      const webhook = found(await findWebhook(db, workspace.id, params.id), 'webhook')
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listDeliveries(db, webhook.id, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.createdAt), row.id])
      return { deliveries: items.map(presentDelivery), next }
    },
  }),
  change({
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery}/redeliver',
    operationId: 'redeliverDelivery',
    summary: 'Deliver an event again',
    description: 'The event is sent again whatever the outcome so far.',
    scopes: ['inbox:write'],
    action: 'webhook.redelivered',
    params: IdParams.extend({ delivery: Id }),
    response: Delivery,
    errors: ['invalid_state'],
    async handler({ params }, { db, workspace, clock, changed }) {
      const webhook = found(await lockWebhook(db, workspace.id, params.id), 'webhook')
      const delivery = found(
        await lockDelivery(db, workspace.id, webhook.id, params.delivery),
        'delivery',
      )
      if (!webhook.enabled)
        throw new ApiError('invalid_state', 'The webhook is disabled: enable it first.', {
          members: { state: 'disabled', allowed: [] },
        })
      await redeliver(db, delivery, clock.now())
      // An event that a client requests is not held back until the end of a rest.
      await interruptRunner(db, webhook)
      changed(webhook.id, { state: delivery.state }, { delivery: delivery.id, state: 'queued' })
      return presentDelivery(
        found(await lockDelivery(db, workspace.id, webhook.id, delivery.id), 'delivery'),
      )
    },
  }),
]
