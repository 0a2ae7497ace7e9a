import { randomBytes } from 'node:crypto'
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { ticketOf } from '../../db/conversations/prepared.ts'
import type { Scope } from '../../rules/scopes.ts'
import { keyOf, type Shown, whyNot } from './prepared.ts'
import { part, Refused, type Use } from './tools.ts'

// What reaches a person takes two steps: it is prepared and shown, and a second call names what was shown and nothing else. An agent
// that a mail commands would make both, so unless the operator has said otherwise of its token, a person agrees in between: in the
// agent's own program where that can ask, and otherwise on a page.

export const sendingScopes: Scope[] = ['send']

const Id = z.string().min(1).max(255)
const Reference = z
  .string()
  .regex(/^prp_[\w-]{43}\.\d{1,4}$/, 'is what prepare_answer has answered as `prepared`')
  .describe('What `prepare_answer` or `change_answer` has answered as `prepared`.')

const words = {
  subject: z.string().max(250).optional().describe('The subject; by default that of the thread.'),
  to: z
    .string()
    .max(320)
    .optional()
    .describe('Which address of this conversation, where there are several.'),
  via: z.string().max(320).optional().describe('Which account of ours, where several fit.'),
  send_at: z.string().max(40).optional().describe('When to send it, with an offset.'),
}

export const PrepareInput = z.strictObject({
  conversation: Id.describe('The id of the conversation.'),
  text: z.string().min(1).max(20_000).describe('The words of the answer.'),
  ...words,
})
export const ChangeInput = z.strictObject({
  prepared: Reference,
  text: z.string().min(1).max(20_000).optional().describe('The new words.'),
  ...words,
})
export const SendInput = z.strictObject({ prepared: Reference })

type Named = { id: string; version: number }
const named = (reference: string): Named => {
  const [id = '', version] = reference.slice('prp_'.length).split('.')
  return { id, version: Number(version) }
}
const referenceOf = ({ id, version }: Named) => `prp_${id}.${version}`
const pathOf = ({ id, version }: Named) => `/prepared/${part(id)}/${version}`

const read = (use: Use, of: Named): Promise<Shown> =>
  use.call({ method: 'GET', path: pathOf(of) }) as Promise<Shown>

const card = ({ to, from, subject, text, sendAt, expiresAt }: Shown) => ({
  to,
  from: from.account,
  subject,
  text,
  when: sendAt ?? 'at once',
  expires_at: expiresAt,
})

async function keep(use: Use, of: Named, body: object) {
  const key = keyOf(use, of, `prepare ${JSON.stringify(body)}`)
  await use.call({ method: 'PUT', path: pathOf(of), key, body })
  const row = await read(use, of)
  return {
    prepared: referenceOf(of),
    will_be_sent: card(row),
    next: row.unattended
      ? 'Nothing was sent. send_prepared sends exactly this.'
      : 'Nothing was sent. send_prepared asks a person, and sends exactly this once they agree.',
  }
}

export function prepare(given: z.output<typeof PrepareInput>, use: Use) {
  const { send_at: sendAt, ...body } = given
  const of = { id: randomBytes(32).toString('base64url'), version: 1 }
  return keep(use, of, { ...body, ...(sendAt !== undefined && { sendAt }) })
}

export async function changePrepared(given: z.output<typeof ChangeInput>, use: Use) {
  const of = named(given.prepared)
  const row = await read(use, of)
  // Its own repeat finds the version that it has made.
  if (row.state !== 'replaced' && row.state in whyNot)
    throw new Refused({
      code: 'invalid_state',
      detail: whyNot[row.state as keyof typeof whyNot],
      state: row.state,
    })
  const sendAt = given.send_at ?? row.sendAt ?? undefined
  return keep(
    use,
    { ...of, version: of.version + 1 },
    {
      conversation: row.conversation,
      text: given.text ?? row.text,
      subject: given.subject ?? row.subject,
      to: given.to ?? row.to,
      via: given.via ?? row.from.connection,
      ...(sendAt !== undefined && { sendAt }),
    },
  )
}

const Agreed = z.object({
  send: z.boolean().describe('Send exactly this message now?'),
})
const question = 'send'

/** What a person is asked, in the agent's own program. */
const asking = (row: Shown) =>
  [
    'Send this message?',
    `To: ${row.to}`,
    `From: ${row.from.name} <${row.from.account}>`,
    `Subject: ${row.subject}`,
    `When: ${row.sendAt ?? 'at once'}`,
    '',
    row.text,
  ].join('\n')

type Can = { form: boolean; url: boolean }
/** Whether the program of the agent can ask its user. */
function canAsk(context: ServerContext): Can {
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined
  const given = envelope?.[CLIENT_CAPABILITIES_META_KEY]
  const { elicitation } = (given ?? {}) as { elicitation?: { form?: object; url?: object } }
  if (!elicitation) return { form: false, url: false }
  return { form: elicitation.form !== undefined || !elicitation.url, url: !!elicitation.url }
}

export async function sendPrepared(
  { prepared }: z.output<typeof SendInput>,
  use: Use,
  context: ServerContext,
  publicUrl: string,
): Promise<object | InputRequiredResult> {
  const of = named(prepared)
  const row = await seen(use, of)
  if (row?.state === 'waiting' && !row.unattended) {
    const asked = await person(row, of, use, context, publicUrl)
    if (asked) return asked
  }
  // Whoever repeats it, also after a crash, repeats one call with one key.
  const sent = await use.call({
    method: 'POST',
    path: `${pathOf(of)}/send`,
    key: keyOf(use, of, 'send'),
  })
  return { message: sent.id, state: sent.state, to: sent.to, when: sent.sendAt ?? 'at once' }
}

/** Undefined once it is gone; the answer to its sending is kept for longer. */
async function seen(use: Use, of: Named): Promise<Shown | undefined> {
  try {
    return await read(use, of)
  } catch (error) {
    if (error instanceof Refused && error.problem.code === 'not_found') return undefined
    throw error
  }
}

/** Asks a person; undefined once they have agreed. */
async function person(
  row: Shown,
  of: Named,
  use: Use,
  context: ServerContext,
  publicUrl: string,
): Promise<object | InputRequiredResult | undefined> {
  const can = canAsk(context)
  const url = `${publicUrl}/confirm/${ticketOf(of)}`
  const answer = context.mcpReq.inputResponses?.[question] as { action?: string } | undefined
  const isOfThis = context.mcpReq.requestState() === row.seen
  if (can.form && answer && isOfThis) {
    if (acceptedContent(context.mcpReq.inputResponses, question, Agreed)?.send === true) {
      const key = keyOf(use, of, 'confirm')
      const path = `${pathOf(of)}/confirm`
      await use.call({ method: 'POST', path, key, body: { seen: row.seen } })
      return undefined
    }
    if (answer.action === 'cancel')
      return { waits_for_person: true, why: 'The person has not decided. Nothing was sent.' }
    await use.call({
      method: 'DELETE',
      path: pathOf(of),
      key: keyOf(use, of, 'drop'),
    })
    return { declined: true, why: 'The person does not want it sent. It is gone.' }
  }
  if (can.form)
    return inputRequired({
      inputRequests: {
        [question]: inputRequired.elicit({ message: asking(row), requestedSchema: Agreed }),
      },
      requestState: row.seen,
    })
  // Once the page was opened, its answer stands in the row.
  if (can.url && !(answer && isOfThis))
    return inputRequired({
      inputRequests: {
        [question]: inputRequired.elicitUrl({
          message: `A person has to confirm the message to ${row.to}.`,
          url,
        }),
      },
      requestState: row.seen,
    })
  return {
    waits_for_person: true,
    url,
    expires_at: row.expiresAt,
    next: 'Nothing was sent. Give a person this address: the page shows what goes, and has a button. When they have confirmed it, call send_prepared again.',
  }
}

export const asResult = (answer: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
})
