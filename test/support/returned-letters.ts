import type { Db } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'

type Of = {
  workspace: string
  person: string
  conversation: string
  campaign: string
  connection: string
  now: Date
}

/** A message and the letter of a campaign, which runs from now on, that a server has refused. */
export async function givenReturned(db: Db, of: Of) {
  const { workspace, person, conversation, campaign, connection, now } = of
  const [message, touch] = [newId('msg'), newId('tch')]
  const refused = { state: 'failed', reason: 'refused', code: '5.7.1' } as const
  await db
    .insertInto('messages')
    .values({
      ...{ id: message, workspace, conversation, connection, direction: 'outbound', at: now },
      ...{ senderName: 'Ana', senderHandle: 'ana@us.example', toAddress: 'kim-0@client.example' },
      ...{ subject: 'Hello', text: 'Hello.', ...refused },
    })
    .execute()
  await db
    .updateTable('campaigns')
    .set({ state: 'running', segment: null, startedAt: now, runner: `${workspace}:runner` })
    .where('id', '=', campaign)
    .execute()
  await db
    .insertInto('touches')
    .values({
      ...{ id: touch, workspace, campaign, person, place: 1, dueAt: now, createdAt: now },
      ...{ messageId: `<${touch}@us.example>`, subject: 'Hello', text: 'Hello.', ...refused },
    })
    .execute()
  return { failed: message, failedTouch: touch, begun: campaign }
}
