import { z } from 'zod'
import { type EventKind, eventKinds } from '../../rules/event-kinds.ts'
import { eventData } from '../shapes/event-data.ts'
import type { Parameter } from './components.ts'
import { exampleOf } from './examples.ts'
import { type Components, type Schema, schemaOf } from './schemas.ts'

// The requests that webhooks get, one for each kind of event, as the OpenAPI document describes them.

const header = (name: string, description: string, example: string): Parameter => ({
  ...{ name, in: 'header', required: true, style: 'simple', explode: false, description },
  ...{ schema: { type: 'string' }, example },
})

/** The headers of Standard Webhooks. */
export const webhookHeaders = {
  WebhookId: header(
    'webhook-id',
    'The id of the event, the same at every attempt: ignore one that you have had.',
    'evt_1042',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When the attempt was made, in seconds since 1970.',
    '1795424000',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'The signatures of id, timestamp and body, with a blank between them.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
}

const parameters = Object.keys(webhookHeaders).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))

const responses = {
  '2XX': { description: 'The event is taken, whatever the body says.' },
  410: { description: 'The webhook is switched off.' },
  default: { description: 'The event is sent again, for about three days.' },
}

/** What stands in `data` of a webhook beside what `GET /events` shows there. */
const beside = z.object({
  id: z.string().describe('The id of the event.'),
  workspace: z.string().describe('The id of the workspace.'),
  resource: z.string().describe('The id of what it happened to.'),
})

/** `message.received` → `MessageReceivedWebhook`, with `MessageReceivedData`. */
const bodyOf = (kind: string, data: z.ZodObject, schemas: Components): Schema =>
  schemaOf(
    z
      .object({
        type: z.literal(kind).describe('The kind of the event.'),
        timestamp: z.iso.datetime().describe('When it happened.'),
        data: data
          .extend(beside.shape)
          .meta({ id: `${capitals(kind)}Data` })
          .describe('What it says: ids and states, no texts.'),
      })
      .meta({ id: `${capitals(kind)}Webhook` }),
    'output',
    schemas,
  )

const mediaOf = (schema: Schema, schemas: Components) => ({
  schema,
  example: exampleOf(schema, 'events', schemas),
})

const listedAlone =
  'It is not sent to webhooks, as each delivery would cause another: `GET /events` lists it.'

/** The group of all of them. */
export const webhookTag = 'webhook-events'

/** An entry for each kind of event, and for what `POST /webhooks/{id}/test` sends. */
export function describeWebhooks(schemas: Components) {
  const entry = (kind: string, data: z.ZodObject) => ({
    post: {
      operationId: `on${capitals(kind)}`,
      summary: kind,
      description: kind.startsWith('webhook.')
        ? kind === 'webhook.test'
          ? 'What `POST /webhooks/{id}/test` sends.'
          : listedAlone
        : 'What has happened, the guide on events says by kind.',
      tags: [webhookTag],
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: { 'application/json': mediaOf(bodyOf(kind, data, schemas), schemas) },
      },
      responses,
    },
  })
  return Object.fromEntries([
    ...eventKinds.map((kind: EventKind) => [kind, entry(kind, eventData(kind))] as const),
    ['webhook.test', entry('webhook.test', z.object({}))] as const,
  ])
}

const capitals = (kind: string) =>
  kind
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
