import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { loopback } from '../stack/ports.ts'
import type { Client, Person, Touch } from './client.ts'
import { detail, title } from './screen.ts'

const longestMs = 60_000

/**
 * One of the people answers, as if from a mail program, and their follow-ups are no longer sent.
 * @returns the Message-ID of the answer.
 */
export async function reply(client: Client, campaign: string, smtpPort: number): Promise<string> {
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
