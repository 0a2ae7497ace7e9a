import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { loopback } from '../stack/ports.ts'
import type { Campaign, Client, Person, Touch } from './client.ts'
import { detail, holding, link, quote, settle, title, watch } from './screen.ts'

// The main job in nine scenes. Each shows what was asked, what was answered, and where to see the workflow behind it.

const lettersBeforePause = 4
// Twice the pause between two letters of an account: long enough for a wrong letter to show.
const quietMs = 4_000

type Story = { client: Client; zone: string; smtpPort: number | undefined }
type Rows = Record<'total' | 'new' | 'update' | 'same' | 'duplicate' | 'invalid', number>
type RowErrors = { row: number; column: string | null; message: string }[]
type Operation = { state: string; workflow: { url: string } | null }

/** How many letters the mail server had accepted before and after a time in which none may go. */
type Quiet = { before: number; after: number }
export type Played = {
  campaign: string
  segment: string
  message: string
  messageAnswers: string[]
  paused: Quiet
  ended: Quiet
  /** The Message-ID of a client's answer; nothing where no mailbox could receive it. */
  reply: string | undefined
}

/** Plays all scenes. @throws Error at the first answer that differs from the one promised. */
export async function play(story: Story): Promise<Played> {
  await importPeople(story)
  const segment = await judgeSegment(story)
  const campaign = await draftCampaign(story, segment)
  await start(story, campaign)
  const paused = await pause(story, campaign)
  await resume(story, campaign)
  const answered = await replyOf(story, campaign)
  const { message, messageAnswers } = await answerConversation(story)
  const ended = await end(story, campaign)
  return { campaign, segment, message, messageAnswers, paused, ended, reply: answered }
}

async function replyOf({ client, smtpPort }: Story, campaign: string) {
  if (smtpPort) return reply(client, campaign, smtpPort)
  title('7  One of them answers: not shown here, since mailboxes need Java')
  return undefined
}

async function importPeople(story: Story) {
  title('1  Import people from a file')
  const content = readFileSync(join(import.meta.dirname, 'people.csv')).toString('base64')
  const file = { name: 'people.csv', content }
  const path = '/people/import'
  const { body: plan } = await story.client.post<{ rows: Rows; errors: RowErrors }>(
    path,
    undefined,
    { file },
  )
  detail(`the plan: ${inWords(plan.rows)}`)
  for (const { row, column, message } of plan.errors)
    detail(`          row ${row}${column ? `, column ${column}` : ''}: ${message}`)
  const { body: done } = await story.client.post<{ state: string; rows: Rows }>(
    path,
    'demo-import',
    { file, commit: true },
  )
  detail(`the import is ${done.state}: ${done.rows.new} people are new`)
  await behind(story, 'demo-import')
}

const inWords = (rows: Rows) =>
  [
    `${rows.total} rows`,
    `${rows.new} new`,
    `${rows.update} completing a known person`,
    `${rows.duplicate} the same as another row`,
    `${rows.invalid} invalid`,
  ].join(', ')

async function judgeSegment(story: Story) {
  title('2  Describe in words who to write to')
  const words = {
    query: 'kitchen managers or owners',
    rules: [{ kind: 'except', text: 'in Bologna' }],
  }
  const { body: segment } = await story.client.post<{
    id: string
    members: number
    judged: number
  }>('/segments', 'demo-segment', { ...words, name: 'Kitchens' })
  detail(`"${words.query}", except "${words.rules[0]?.text}"`)
  detail(
    `${segment.members} of ${segment.judged} people belong to it, each with the reason, such as`,
  )
  const { people } = await story.client.get<{
    people: (Person & { verdict: { reason: string } })[]
  }>(`/segments/${segment.id}/people?limit=2`)
  for (const { name, verdict } of people) detail(`  ${name}: ${verdict.reason}`)
  await behind(story, 'demo-segment')
  return segment.id
}

async function draftCampaign(story: Story, segment: string) {
  title('3  Draft a campaign, have its letters written, read them, agree')
  const { body: draft } = await story.client.post<Campaign>('/campaigns', 'demo-campaign', {
    name: 'Cold rooms',
    goal: 'Arrange a demo of ten minutes',
    segment,
    agent: 'agt_eva',
  })
  const { id } = draft.campaign
  detail(`it still needs: ${draft.campaign.missing.map(({ message }) => message).join(' ')}`)
  const { body } = await story.client.post<Pick<Campaign, 'letters'>>(
    `/campaigns/${id}/letters`,
    'demo-letters',
    { write: [1, 2, 3] },
  )
  const [first] = body.letters
  detail('the first letter, by the embedded writer (templates, no language model):')
  quote(`${first?.subject}
${first?.text}`)
  await behind(story, 'demo-letters')
  await story.client.post(`/campaigns/${id}/letters`, 'demo-agree', { agree: [1, 2, 3] })
  const { campaign } = await story.client.get<Campaign>(`/campaigns/${id}`)
  detail(
    campaign.missing.length === 0
      ? 'agreed; nothing is missing'
      : `agreed; it still needs: ${campaign.missing.map(({ message }) => message).join(' ')}`,
  )
  return id
}

async function start(story: Story, id: string) {
  title('4  Start it: one letter at a time')
  await move(story, id, 'running', 'demo-start')
  await watch({ ...story, campaign: id }, ({ funnel }) => funnel.sent >= lettersBeforePause)
  settle()
  await behind(story, 'demo-start')
}

async function pause(story: Story, id: string): Promise<Quiet> {
  title('5  Pause it while letters go')
  const { inFlight } = await move(story, id, 'paused', 'demo-pause')
  detail(
    `paused; letters being sent at that moment: ${inFlight}${inFlight ? ' (finished first)' : ''}`,
  )
  await over(story, 'demo-pause')
  const quiet = await stayQuiet(story.client)
  const seen = await story.client.get<Campaign>(`/campaigns/${id}`)
  detail(`waits for  ${holding(seen, story.zone)}`)
  detail(
    `mail sink  ${quiet.before} letters, and ${quiet.after} after ${quietMs / 1000} seconds: no more letters go`,
  )
  await behind(story, 'demo-pause')
  return quiet
}

async function resume(story: Story, id: string) {
  title('6  Resume it')
  await move(story, id, 'running', 'demo-resume')
  await watch(
    { ...story, campaign: id },
    ({ campaign, funnel }) =>
      funnel.sent >= campaign.people && campaign.sending.blockedBy === 'nobody_left',
  )
  settle()
  detail(
    'everybody has the first letter; the second follows three weekdays later unless they answer',
  )
  await behind(story, 'demo-resume')
}

async function answerConversation(story: Story) {
  title('8  Answer a client, with three identical calls as after a lost connection')
  const body = {
    text: 'Dear Mr Vogel,\n\ntwo spare sensors for each kitchen are in the offer now.\n\nAna',
  }
  const path = '/conversations/cnv_markus/messages'
  const answers: string[] = []
  for (let i = 0; i < 3; i++) {
    const { text, replayed } = await story.client.post(path, 'demo-message', body)
    answers.push(text)
    const { id, state, to } = JSON.parse(text)
    detail(`${replayed ? 'replayed' : 'accepted'}: ${id} to ${to}, ${state}`)
  }
  await over(story, 'demo-message')
  detail('sent, once')
  await behind(story, 'demo-message')
  return { message: 'demo-message', messageAnswers: answers }
}

async function end(story: Story, id: string): Promise<Quiet> {
  title('9  End the campaign')
  const { funnel } = await move(story, id, 'done', 'demo-end')
  await over(story, 'demo-end')
  const quiet = await stayQuiet(story.client)
  const touches = await story.client.all<Touch>(`/campaigns/${id}/touches`, 'touches')
  const planned = touches.filter(({ reason }) => reason === 'done').length
  detail(
    `${funnel.sent} letters were sent; the ${planned} follow-ups planned for later will not go`,
  )
  await behind(story, 'demo-end')
  return quiet
}

async function move({ client }: Story, id: string, to: string, key: string) {
  const { body } = await client.post<Campaign & { inFlight: number }>(
    `/campaigns/${id}/state`,
    key,
    { to },
  )
  return body
}

async function stayQuiet(client: Client): Promise<Quiet> {
  const before = (await client.mail()).length
  await sleep(quietMs)
  return { before, after: (await client.mail()).length }
}

/** Waits until the operation of a key has ended. */
async function over({ client }: Story, key: string) {
  for (const deadline = Date.now() + 30_000; ; await sleep(200)) {
    const { state } = await client.get<Operation>(`/operations/${key}`)
    if (state === 'done') return
    if (state === 'failed' || state === 'cancelled' || Date.now() > deadline)
      throw new Error(`The operation ${key} is ${state}.`)
  }
}

async function behind({ client }: Story, key: string) {
  const { workflow } = await client.get<Operation>(`/operations/${key}`)
  if (workflow) link(workflow.url)
}

const longestMs = 60_000

/**
 * One of the people answers, as if from a mail program, and their follow-ups are no longer sent.
 * @returns the Message-ID of the answer.
 */
async function reply(client: Client, campaign: string, smtpPort: number): Promise<string> {
  title('7  One of them answers: their follow-ups are dropped')
  const all = () => client.all<Touch>(`/campaigns/${campaign}/touches`, 'touches')
  const letter = (await all()).find(({ state, place }) => state === 'sent' && place === 1)
  const mail = (await client.mail()).find(({ messageId }) => messageId === letter?.messageId)
  if (!letter || !mail) throw new Error('There is no letter to answer.')
  const person = await client.get<Person>(`/people/${letter.person}`)
  const { messageId } = await createTransport({
    host: loopback,
    port: smtpPort,
    secure: false,
    ignoreTLS: true,
  }).sendMail({
    from: { name: person.name, address: person.email },
    to: mail.from,
    subject: `Re: ${mail.subject}`,
    text: 'Thursday at ten suits me. Please call me.',
    inReplyTo: letter.messageId ?? '',
    references: letter.messageId ?? '',
  })
  detail(`${person.name} writes: "Thursday at ten suits me. Please call me."`)
  for (const deadline = Date.now() + longestMs; ; await sleep(300)) {
    const later = (await all()).filter(({ person, place }) => person === letter.person && place > 1)
    if (later.length > 0 && later.every(({ reason }) => reason === 'replied')) break
    if (Date.now() > deadline) throw new Error('The answer has not stopped the follow-ups.')
  }
  const { funnel } = await client.get<{ funnel: { replied: number } }>(`/campaigns/${campaign}`)
  detail(`the answer is in the inbox, and no follow-up goes to ${person.name}; the campaign counts`)
  detail(`${funnel.replied} reply, and everybody else stays in the campaign`)
  return messageId
}
