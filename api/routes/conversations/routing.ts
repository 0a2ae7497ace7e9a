import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import {
  deleteRule,
  findRouting,
  findRoutingValue,
  insertRule,
  lockRouting,
  orderRules,
  type Routing,
  switchRouting,
} from '../../../db/conversations/routing.ts'
import { insertBatch, readContinuation } from '../../../db/conversations/routing-batches.ts'
import { isMember } from '../../../db/workspace/members.ts'
import { ApiError, invalid, type Problem } from '../../http/errors.ts'
import { awaited, type ChangeContext, change, read } from '../../route.ts'
import { Id, OwnId, optional, text, withValues } from '../../shapes/shapes.ts'

// One file: the rules of routing and their order, which each call of them gives as a whole.

const fields = ['label', 'side', 'product', 'sender', 'company', 'agent'] as const
// As many as one call can put into order.
const mostRules = 1000

const looksAt: Record<(typeof fields)[number], string> = {
  label: 'a label on the conversation, or a product tag of the person',
  side: "the person's side of a product",
  product: 'a product the person is tagged with',
  sender: 'the address or domain of the client, or our account',
  company: 'our company for which the agent writes',
  agent: 'the agent that writes in the conversation',
}

const RoutingRead = z
  .object({
    enabled: z.boolean().describe('Whether new conversations get an owner automatically.'),
    rules: z
      .array(
        z
          .object({
            id: OwnId,
            field: z
              .string()
              .describe(withValues('The part of a conversation that the rule checks.', looksAt)),
            value: z
              .string()
              .describe('The value to match: an id, an address or `@domain`, or a side.'),
            member: z.string().describe('The id of the member who gets the conversation.'),
          })
          .meta({ id: 'RoutingRule' }),
      )
      .describe('The rules in order; the first one that matches decides.'),
  })
  .meta({ id: 'Routing' })

const Edit = z
  .strictObject({
    do: z.enum(['add', 'drop', 'up', 'down', 'order', 'switch']).describe(
      withValues('The action.', {
        add: 'add a rule at the end, by `field`, `value` and `member`',
        drop: 'delete `rule`',
        up: 'move `rule` one place up',
        down: 'move `rule` one place down',
        order: 'put all rules into the order given by `rules`',
        switch: 'turn routing on or off, by `enabled`',
      }),
    ),
    field: optional(z.enum(fields)).describe(
      withValues('The part of a conversation that the new rule checks.', looksAt),
    ),
    value: optional(text(500)).describe(
      'The value to match: the id or name of the label, product, company or agent, an address, `@domain` or connection, or `buyer` or `seller`.',
    ),
    member: optional(Id).describe('The id of the member who gets the conversation.'),
    rule: optional(Id).describe('The id of the rule to change.'),
    rules: optional(z.array(Id).max(mostRules)).describe(
      'The ids of all rules in their new order.',
    ),
    enabled: optional(z.boolean()).describe(
      'Whether new conversations get an owner automatically.',
    ),
  })
  .meta({ id: 'RoutingUpdate' })
type Edit = z.output<typeof Edit>
type Member = Exclude<keyof Edit, 'do'>

const members: Record<Edit['do'], Member[]> = {
  add: ['field', 'value', 'member'],
  drop: ['rule'],
  up: ['rule'],
  down: ['rule'],
  order: ['rules'],
  switch: ['enabled'],
}

/** @throws ApiError naming each member that an edit needs and lacks, and each that does not belong to it. */
function requireMembers(edit: Edit) {
  const needed = members[edit.do]
  const given = (Object.keys(edit) as (keyof Edit)[]).filter(
    (name): name is Member => name !== 'do' && edit[name] !== undefined,
  )
  refuse([
    ...needed
      .filter((name) => !given.includes(name))
      .map((name) => problem(`/${name}`, 'required', `is required to ${edit.do}`)),
    ...given
      .filter((name) => !needed.includes(name))
      .map((name) => problem(`/${name}`, 'unexpected', `is not allowed with ${edit.do}`)),
  ])
}

const problem = (pointer: string, code: string, message: string): Problem => ({
  pointer,
  code,
  message,
})

function refuse(problems: Problem[]) {
  const [first] = problems
  if (first)
    throw new ApiError('validation_failed', `${first.pointer}: ${first.message}`, {
      errors: problems,
    })
}

async function add({ db, workspace, clock }: ChangeContext, edit: Edit, { rules }: Routing) {
  const { field = 'label', value: given = '', member = '' } = edit
  const value = await findRoutingValue(db, workspace.id, field, given)
  refuse([
    ...(value === undefined ? [problem('/value', 'unknown_id', unknown[field])] : []),
    ...((await isMember(db, workspace.id, member))
      ? []
      : [problem('/member', 'unknown_id', 'is not a member of this workspace')]),
    ...(rules.length < mostRules
      ? []
      : [problem('', 'too_many', `there are ${mostRules} rules already`)]),
  ])
  const rule = { field, value: value as string, member }
  return insertRule(db, workspace.id, rule, clock.now())
}

const unknown: Record<(typeof fields)[number], string> = {
  label: 'is not a label of this workspace',
  side: 'must be buyer or seller',
  product: 'is not a product of this workspace',
  sender: 'must be an address, @domain, or a connection of this workspace',
  company: 'is not a company of this workspace',
  agent: 'is not an agent of this workspace',
}

/** The ids of the rules after a move; up on the first and down on the last rule change nothing. */
function moved({ rules }: Routing, edit: Edit): string[] {
  const ids = rules.map(({ id }) => id)
  if (edit.do === 'order') return permutation(ids, edit.rules ?? [])
  const at = ids.indexOf(edit.rule ?? '')
  if (at < 0) throw invalid('/rule', 'unknown_id', 'is not a rule of this workspace')
  if (edit.do === 'drop') return ids.toSpliced(at, 1)
  const to = Math.min(Math.max(at + (edit.do === 'up' ? -1 : 1), 0), ids.length - 1)
  return ids.toSpliced(at, 1).toSpliced(to, 0, ids[at] as string)
}

function permutation(ids: string[], order: string[]): string[] {
  refuse([
    ...order.flatMap((id, at) => {
      if (!ids.includes(id))
        return [problem(`/rules/${at}`, 'unknown_id', 'is not a rule of this workspace')]
      return order.indexOf(id) < at ? [problem(`/rules/${at}`, 'repeated', 'is named twice')] : []
    }),
    ...(ids.every((id) => order.includes(id))
      ? []
      : [problem('/rules', 'incomplete', 'must name every rule once')]),
  ])
  return order
}

/** Applies an edit to locked rules; answers the id of a rule that was added. */
async function carryOut(context: ChangeContext, edit: Edit, routing: Routing) {
  const { db, workspace } = context
  if (edit.do === 'add') return add(context, edit, routing)
  if (edit.do === 'switch') await switchRouting(db, workspace.id, edit.enabled as boolean)
  else {
    const ids = moved(routing, edit)
    if (edit.do === 'drop') await deleteRule(db, edit.rule as string)
    await orderRules(db, workspace.id, ids)
  }
  return undefined
}

const depthDays = { all: null, quarter: 90, month: 30, week: 7 } as const

/** The value of a cursor or floor from an earlier answer; an empty one means none. */
function continued(part: 'cursor' | 'floor', workspace: string, given: string | undefined) {
  if (!given) return undefined
  const value = readContinuation(part, workspace, given)
  if (value === undefined)
    throw invalid(`/${part}`, 'invalid_cursor', `must be the ${part} of an earlier answer`)
  return value
}

const dayMs = 24 * 60 * 60 * 1000

export const routes = [
  read({
    path: '/routing',
    operationId: 'getRouting',
    summary: 'Read the routing rules',
    description: 'The rules that give new conversations an owner.',
    scopes: ['inbox:read'],
    response: RoutingRead,
    handler: (_, { db, workspace }) => findRouting(db, workspace.id),
  }),

  change({
    method: 'POST',
    path: '/routing',
    operationId: 'updateRouting',
    summary: 'Edit the routing rules',
    description: '`do` names the action, which determines the other members.',
    scopes: ['inbox:write'],
    action: 'routing.edited',
    body: Edit,
    example: {
      do: 'add',
      field: 'sender',
      value: '@caldeira.example',
      member: 'mem_01m5q8y2k7cv3',
    },
    response: RoutingRead.extend({
      rule: z
        .string()
        .optional()
        .describe('The id of the rule that was added; absent if none was.'),
    }).meta({ id: 'ChangedRouting' }),
    check: ({ body }) => requireMembers(body),
    async handler({ body }, { changed, ...context }) {
      const { db, workspace } = context
      const before = await lockRouting(db, workspace.id)
      const rule = await carryOut({ ...context, changed }, body, before)
      const after = await findRouting(db, workspace.id)
      if (!isDeepStrictEqual(before, after))
        changed(rule ?? body.rule ?? workspace.id, before, after)
      return { ...after, ...(rule && { rule }) }
    },
  }),

  change({
    method: 'POST',
    path: '/routing/apply',
    operationId: 'applyRouting',
    summary: 'Hand out conversations by the rules',
    description:
      'Assigns a batch of the conversations without an owner, even while routing is off. While `cursor` is not null, call again with it and `floor`, using a new key.',
    scopes: ['send'],
    action: 'routing.applied',
    body: z
      .strictObject({
        rule: optional(Id).describe(
          'The id of the only rule to apply; by default all rules in order.',
        ),
        depth: optional(z.enum(['all', 'quarter', 'month', 'week'])).describe(
          withValues('Which conversations to include, by their last message.', {
            all: 'all conversations',
            quarter: 'the last 90 days',
            month: 'the last 30 days',
            week: 'the last 7 days',
          }),
        ),
        cursor: optional(z.string().max(4000)).describe(
          'The `cursor` of the previous answer, to continue.',
        ),
        floor: optional(z.string().max(4000)).describe(
          'The `floor` of the previous answer, to continue.',
        ),
      })
      .meta({ id: 'RoutingRun' }),
    example: { depth: 'month' },
    response: z
      .object({
        handed: z.number().describe('The number of conversations that got an owner.'),
        seen: z.number().describe('The number of conversations that were checked.'),
        cursor: z
          .string()
          .nullable()
          .describe(
            'Where to continue, in another call with a new key; null when nothing is left.',
          ),
        floor: z
          .string()
          .nullable()
          .describe(
            'The limit of the period, to be sent with `cursor`; null when nothing is left.',
          ),
      })
      .meta({ id: 'RoutingRunResult' }),
    errors: ['still_running'],
    async handler({ body }, context) {
      const { db, workspace, operation, member, client, clock } = context
      const { rules } = await findRouting(db, workspace.id)
      if (body.rule !== undefined && !rules.some(({ id }) => id === body.rule))
        throw invalid('/rule', 'unknown_id', 'is not a rule of this workspace')
      const cursor = continued('cursor', workspace.id, body.cursor) ?? ''
      const floor = continued('floor', workspace.id, body.floor)
      const days = depthDays[body.depth ?? 'all']
      const back = days === null ? null : new Date(clock.now().getTime() - days * dayMs)
      // The floor of the first call is kept, so that a continued run covers the same conversations.
      const since = floor === undefined ? back : floor === '' ? null : new Date(floor)
      const batch = { operation: operation.id, workspace: workspace.id, rule: body.rule ?? null }
      await insertBatch(db, { ...batch, since, cursor, member: member.id, client })
      await context.start('applyRouting', [{ operation: operation.id }])
      context.changed(workspace.id, undefined, { rule: batch.rule, since })
      return awaited
    },
  }),
]
