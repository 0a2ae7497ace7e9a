import type { Insertable } from 'kysely'
import type { Address } from '../../rules/addresses.ts'
import type { Conversations, Files, Messages } from '../conversations/tables.ts'
import type { Trx } from '../database.ts'
import { newId } from '../ids.ts'
import type { PersonTags } from '../people/tables.ts'

// People and correspondence that an operator brings, for demos and moves from elsewhere.

/** Gives a person these addresses; answers those that belong to somebody else, who keeps them. */
export async function insertFoundAddresses(
  trx: Trx,
  workspace: string,
  person: string,
  addresses: Address[],
): Promise<Address[]> {
  if (addresses.length === 0) return []
  const rows = await trx
    .insertInto('addresses')
    .values(
      addresses.map(({ kind, value, given }, i) => ({
        workspace,
        person,
        kind,
        value,
        given,
        position: addresses.slice(0, i).filter((other) => other.kind === kind).length,
      })),
    )
    .onConflict((oc) => oc.doNothing())
    .returning(['kind', 'value'])
    .execute()
  const taken = ({ kind, value }: Address) =>
    !rows.some((row) => row.kind === kind && row.value === value)
  return addresses.filter(taken)
}

export const insertTag = (trx: Trx, tag: Insertable<PersonTags>) =>
  trx
    .insertInto('personTags')
    .values(tag)
    .onConflict((oc) => oc.doNothing())
    .execute()

type MessageWithFiles = Omit<Insertable<Messages>, 'workspace' | 'conversation' | 'connection'> & {
  files: Pick<Insertable<Files>, 'name' | 'type' | 'content'>[]
}

/** Stores a conversation with its messages in order, their files, and its labels by name. */
export async function insertConversationWith(
  trx: Trx,
  messages: MessageWithFiles[],
  labels: string[],
  conversation: Insertable<Conversations>,
) {
  const { id, workspace, connection } = conversation
  await trx.insertInto('conversations').values(conversation).execute()
  for (const { files, ...message } of messages) {
    const earlier = messages
      .slice(
        0,
        messages.findIndex((other) => other.id === message.id),
      )
      .at(-1)
    await trx
      .insertInto('messages')
      .values({
        ...message,
        workspace,
        conversation: id,
        connection,
        inReplyTo: earlier?.messageId ?? null,
      })
      .execute()
    for (const file of files)
      await trx
        .insertInto('files')
        .values({
          ...file,
          id: newId('fil'),
          workspace,
          message: message.id,
          size: file.content.length,
        })
        .execute()
  }
  for (const name of labels)
    await trx
      .insertInto('conversationLabels')
      .values({ conversation: id, label: await labelOf(trx, workspace, name) })
      .onConflict((oc) => oc.doNothing())
      .execute()
}

async function labelOf(trx: Trx, workspace: string, name: string): Promise<string> {
  const row = await trx
    .selectFrom('labels')
    .select('id')
    .where('workspace', '=', workspace)
    .where((eb) => eb(eb.fn<string>('lower', ['name']), '=', name.toLowerCase()))
    .executeTakeFirst()
  if (row) return row.id
  const id = newId('lbl')
  await trx.insertInto('labels').values({ id, workspace, name }).execute()
  return id
}
