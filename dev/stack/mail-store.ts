import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'

// One file per message: the lines that a mail server adds at delivery (RFC 5321, 4.4), then the bytes as received.
// `Received:` is the last line added.

export type Message = {
  id: string
  acceptedAt: string
  from: string
  to: string[]
  messageId: string | null
  subject: string | null
  text: string
  html: string | null
  attachments: { name: string; type: string; size: number | null }[]
  /** Whether it came from an account, which logs in and makes its Message-IDs; whatever else comes here is what somebody wrote to one. */
  direction: 'sent' | 'received'
  headers: { name: string; value: string }[]
  /** As it was sent, without the added lines. */
  raw: string
}

export type Store = {
  /** `isGuest`: whoever has brought it did not log in. */
  add: (
    envelope: { from: string; to: string[]; isGuest?: boolean },
    raw: Buffer,
  ) => Promise<Message>
  /** Oldest first. */
  list: () => Message[]
  /** The message at this position; the oldest is at 0. */
  at: (place: number) => Message | undefined
  onAdded: (listener: () => void) => void
  file: (id: string) => Buffer | undefined
  clear: () => Promise<void>
}

/** Stores messages in a folder. A message for which `add` has resolved survives a crash of the machine. */
export async function openStore(folder: string): Promise<Store> {
  mkdirSync(folder, { recursive: true })
  const messages: Message[] = []
  const listeners: (() => void)[] = []
  const pathOf = (id: string) => join(folder, `${id}.eml`)
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.eml')) continue
    const id = name.slice(0, -'.eml'.length)
    messages.push(await readMessage(id, readFileSync(pathOf(id))))
  }

  return {
    async add({ from, to, isGuest }, raw) {
      const at = new Date().toISOString()
      const id = `${at.replaceAll(':', '')}-${randomUUID().slice(0, 8)}`
      const added = [
        `Return-Path: <${from}>`,
        ...to.map((address) => `Delivered-To: ${address}`),
        ...(isGuest ? [guestLine] : []),
        `Received: by localhost (Postroom mail sink) id ${id}; ${at}`,
      ]
      const file = Buffer.concat([Buffer.from(`${added.join('\r\n')}\r\n`), raw])
      await writeDurably(folder, pathOf(id), file)
      const message = await readMessage(id, file)
      messages.push(message)
      for (const listener of listeners) listener()
      return message
    },
    list: () => [...messages],
    at: (place) => messages[place],
    onAdded: (listener) => void listeners.push(listener),
    file(id) {
      return messages.some((message) => message.id === id) ? readFileSync(pathOf(id)) : undefined
    },
    async clear() {
      for (const { id } of messages.splice(0)) await rm(pathOf(id), { force: true })
    },
  }
}

async function writeDurably(folder: string, path: string, content: Buffer) {
  const draft = `${path}.new`
  const file = await open(draft, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  // The name of the file is durable only once its folder has been synced.
  const directory = await open(folder, 'r')
  await directory.sync().finally(() => directory.close())
}

// Beside the lines of a mail server.
const guestLine = 'X-Postroom-Guest: yes'

// The page shows only the beginning of a mail; parsing all of 32 MB would delay the sender of the next one.
const shownBytes = 128 * 1024

async function readMessage(id: string, file: Buffer): Promise<Message> {
  const received = file.indexOf('Received: ')
  const start = file.indexOf('\r\n', received) + 2
  const added = file.subarray(0, received).toString()
  const raw = file.subarray(start)
  const parsed = await PostalMime.parse(raw.subarray(0, shownBytes))
  const from = /^Return-Path: <(.*)>/.exec(added)?.[1] ?? ''
  const messageId = parsed.messageId ?? null
  return {
    id,
    acceptedAt: file.subarray(received, start).toString().split('; ').at(-1)?.trim() ?? '',
    from,
    to: [...added.matchAll(/^Delivered-To: (.*)\r$/gm)].map((match) => match[1] as string),
    messageId,
    subject: parsed.subject ?? null,
    text: parsed.text ?? '',
    html: parsed.html ?? null,
    attachments: parsed.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? '',
      type: mimeType,
      // Of a large mail, only the beginning was read.
      size: raw.length > shownBytes ? null : sizeOf(content),
    })),
    direction: added.includes(guestLine) && !isOfAccount(messageId, from) ? 'received' : 'sent',
    headers: parsed.headers.map(({ key, value }) => ({ name: key, value })),
    raw: raw.toString(),
  }
}

const sizeOf = (content: ArrayBuffer | Uint8Array | string) =>
  typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength

/** Accounts without a user do not log in; their letters have ids of ours. */
const isOfAccount = (messageId: string | null, from: string) =>
  messageId !== null &&
  /^<[a-z]{3}_[^@>]+@/.test(messageId) &&
  messageId.endsWith(`@${domainOf(from)}>`)

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()
