import type { Addresses } from './stack.ts'

// The demo is a client like any other: it knows the addresses of the API and their answers, and nothing else.

type Funnel = {
  people: number
  queued: number
  review: number
  sending: number
  sent: number
  failed: number
}
export type Campaign = {
  campaign: {
    id: string
    state: string
    people: number
    missing: { message: string }[]
    sending: { now: boolean; blockedBy: string | null; nextAt: string | null }
  }
  letters: { place: number; subject: string; text: string; agreed: boolean }[]
  funnel: Funnel
}
export type Touch = {
  id: string
  person: string
  place: number
  state: string
  reason: string | null
  messageId: string | null
  workflow: { url: string } | null
}
export type Person = { id: string; name: string; email: string }
export type Mail = {
  from: string
  messageId: string | null
  subject: string | null
  to: string[]
  text: string
}

export type Client = ReturnType<typeof connect>

/** Calls the API with the demo's token. An answer other than 200 throws an error with the words of the answer. */
export function connect({ url, mailUrl, token }: Addresses) {
  async function call<T>(method: string, path: string, key?: string, body?: unknown) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(key && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return {
      text,
      replayed: response.headers.has('idempotent-replayed'),
      body: JSON.parse(text) as T,
    }
  }

  return {
    get: async <T>(path: string) => (await call<T>('GET', path)).body,
    /** A change under its key, so it is safe to repeat. */
    post: <T>(path: string, key: string | undefined, body: unknown) =>
      call<T>('POST', path, key, body),
    /** All pages of a list. */
    async all<T>(path: string, member: string): Promise<T[]> {
      const items: T[] = []
      for (let cursor = ''; ; ) {
        const page = await this.get<Record<string, T[]> & { next: string | null }>(
          `${path}?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        )
        items.push(...(page[member] ?? []))
        if (!page.next) return items
        cursor = page.next
      }
    },
    /** The mail that the mail server of this demo has accepted, oldest first. */
    async mail(): Promise<Mail[]> {
      const response = await fetch(`${mailUrl}/messages.json`)
      return ((await response.json()) as { messages: Mail[] }).messages
    },
  }
}
