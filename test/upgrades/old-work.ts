import type { FaultClient } from '../faults/client.ts'
import type { MailSink } from '../support/mail.ts'
import { eventually } from '../support/service.ts'

// The work that is under way when the release is replaced: a campaign in its middle, messages that wait, letters whose
// outcome nobody knows, a task and snoozes.

export const campaignPeople = 8
const conversations = 8
const gapSeconds = 3

/** Two accounts: Ben's has a campaign with a gap between its letters, Ana's has conversations. */
export function workspace(smtpPort: number) {
  const account = (name: 'ana' | 'ben', gap: number) => ({
    id: `con_${name}`,
    kind: 'email',
    account: `${name}@us.example`,
    member: 'mem_ana',
    limits: { day: 50, week: 250, gapSeconds: gap },
    smtp: { host: '127.0.0.1', port: smtpPort, secure: false, user: name, password: 'a password' },
  })
  const agent = (name: 'ana' | 'ben') => ({
    id: `agt_${name}`,
    name: 'Eva',
    company: 'com_us',
    goal: 'Show it',
    enabled: true,
    channels: [`con_${name}`],
    hours: { zone: 'Europe/Berlin', from: '00:00', to: '24:00', daysOff: [] },
  })
  const prospects = Array.from({ length: campaignPeople }, (_, i) => ({
    id: `per_p${i}`,
    name: `Prospect ${i}`,
    email: prospect(i),
    city: 'Lisbon',
  }))
  const clients = Array.from({ length: conversations }, (_, i) => ({
    id: `per_c${i}`,
    name: `Client ${i}`,
    email: clientOf(i),
    city: 'Berlin',
  }))
  return {
    workspace: { id: 'wsp_old', name: 'Us', timezone: 'Europe/Berlin' },
    members: [{ id: 'mem_ana', name: 'Ana', email: 'ana@us.example' }],
    connections: [account('ana', 0), account('ben', gapSeconds)],
    companies: [{ id: 'com_us', name: 'Us', pitch: 'We like calm.' }],
    agents: [agent('ana'), agent('ben')],
    people: [...clients, ...prospects],
    conversations: clients.map(({ id: person }, i) => ({
      id: `cnv_${i}`,
      person,
      connection: 'con_ana',
      subject: 'A question',
      messages: [{ direction: 'inbound', text: 'What does it cost?', at: '-1d' }],
    })),
  }
}

export const prospect = (i: number) => `p${i}@client.example`
export const clientOf = (i: number) => `c${i}@client.example`
export const gapMs = gapSeconds * 1000

/** Letters whose outcome the mail server never tells: it drops the line before or after it has taken them. */
export const lost = {
  before: [prospect(0), clientOf(2)],
  after: [prospect(1), clientOf(1)],
}

export function loseSome(mail: MailSink) {
  mail.script({
    onData: ({ to }) => (to.some((one) => lost.before.includes(one)) ? 'drop' : undefined),
    onAccepted: ({ to }) => (to.some((one) => lost.after.includes(one)) ? 'drop' : undefined),
  })
}

/** A campaign of which two letters are unconfirmed and two have gone; the others wait for the gap. */
export async function startCampaign(api: FaultClient): Promise<string> {
  let segment = await api.change('POST', '/segments', { query: 'in Lisbon' })
  while (segment.remaining > 0)
    segment = await api.change('POST', '/segments', { query: 'in Lisbon', segment: segment.id })
  const { id } = await api.change('POST', '/campaigns', {
    goal: 'Book a demo',
    segment: segment.id,
    agent: 'agt_ben',
  })
  await api.change('POST', `/campaigns/${id}/letters`, { write: [1, 2, 3], agree: [1, 2, 3] })
  await api.change('POST', `/campaigns/${id}/state`, { to: 'running' }, { key: 'campaign' })
  return id
}

export const funnel = async (api: FaultClient, campaign: string) =>
  (await api.read(`/campaigns/${campaign}`)).funnel as Record<string, number>

export const operation = (api: FaultClient, key: string) => api.read(`/operations/${key}`)

/** Two messages whose line is lost: Temporal waits for somebody who looks. */
export async function loseMessages(api: FaultClient) {
  for (const [i, key] of [
    [1, 'lost-after'],
    [2, 'lost-before'],
  ] as const)
    await api.change('POST', `/conversations/cnv_${i}/messages`, { text: 'Hello' }, { key })
  for (const key of ['lost-after', 'lost-before'])
    await eventually(
      () => operation(api, key),
      ({ state, waitingFor }) => state === 'waiting' && waitingFor === 'resolve',
    )
}

/** What waits for its time. `near` comes while nothing runs, `soon` after that, `far` in a year. */
export async function putOff(api: FaultClient, now: Date) {
  const at = (ms: number) => new Date(now.getTime() + ms).toISOString()
  const [near, soon, far] = [at(5_000), at(15_000), at(365 * 24 * 3_600_000)]
  const message = (i: number, key: string, sendAt: string) =>
    api.change('POST', `/conversations/cnv_${i}/messages`, { text: key, sendAt }, { key })
  const snooze = (i: number, key: string, snoozeUntil: string) =>
    api.change('PATCH', `/conversations/cnv_${i}`, { snoozeUntil }, { key })
  const task = { text: 'Write: See you.', due: soon }
  const [, , farMessage] = await Promise.all([
    message(3, 'near', near),
    message(4, 'soon', soon),
    message(5, 'far', far),
    snooze(6, 'snooze-soon', soon),
    snooze(1, 'snooze-far', far),
    api.change('POST', '/conversations/cnv_7/tasks', task, { key: 'task' }),
  ])
  for (const key of ['near', 'soon', 'far', 'snooze-soon', 'snooze-far', 'task'])
    await eventually(
      () => operation(api, key),
      ({ state }) => state === 'waiting',
    )
  return { far: farMessage.id as string }
}
