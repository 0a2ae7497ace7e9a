import type { Client, Mail, Person, Touch } from './client.ts'
import type { Played } from './story.ts'

export type CheckResult = { kept: boolean; text: string }

/** The promises, compared with the mail that arrived. */
export async function verdict(client: Client, played: Played): Promise<CheckResult[]> {
  const mail = await client.mail()
  const people = await client.all<Person>(`/segments/${played.segment}/people`, 'people')
  const touches = await client.all<Touch>(`/campaigns/${played.campaign}/touches`, 'touches')
  const sent = touches.filter(({ state }) => state === 'sent')
  const letters = mail.filter(({ messageId }) =>
    sent.some((touch) => touch.messageId === messageId),
  )
  const { result } = await client.get<{ result: { messageId: string } }>(
    `/operations/${played.message}`,
  )
  const messages = mail.filter(({ messageId }) => messageId === result.messageId)
  const unasked = mail.filter(
    (one) => !letters.includes(one) && !messages.includes(one) && one.messageId !== played.reply,
  )
  const answered = touches.filter(({ reason }) => reason === 'replied')
  const open = touches.filter(({ state }) => state !== 'sent' && state !== 'failed')
  return [
    {
      kept: everyoneOnce(people, letters) && letters.length === sent.length,
      text: `${people.length} people, ${sent.length} letters sent, ${letters.length} arrived, ${distinct(letters)} different Message-IDs`,
    },
    {
      kept: messages.length === 1 && new Set(played.messageAnswers).size === 1,
      text: `the message requested ${played.messageAnswers.length} times arrived ${times(messages.length)}, and the answers are equal`,
    },
    {
      kept: played.paused.before === played.paused.after,
      text: `${played.paused.after - played.paused.before} letters were sent while the campaign was paused`,
    },
    {
      kept: played.ended.before === played.ended.after && open.length === 0,
      text: `${played.ended.after - played.ended.before} letters were sent after its end, ${open.length} are still queued`,
    },
    ...(played.reply
      ? [
          {
            kept: answered.length > 0 && new Set(answered.map(({ person }) => person)).size === 1,
            text: 'one person answered, and no follow-up is sent to them',
          },
        ]
      : []),
    {
      kept: unasked.length === 0,
      text: `${unasked.length} letters arrived that nobody asked for`,
    },
  ]
}

const distinct = (mail: Mail[]) => new Set(mail.map(({ messageId }) => messageId)).size

const everyoneOnce = (people: Person[], letters: Mail[]) =>
  distinct(letters) === letters.length &&
  people.every(({ email }) => letters.filter(({ to }) => to.includes(email)).length === 1)

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
