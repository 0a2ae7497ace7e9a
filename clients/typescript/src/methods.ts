import { call, type Request, type Service } from './call.ts'
import { type KeyStore, keyOf, newKey, renewed } from './keys.ts'
import { PostroomError } from './problems.ts'
import type { Answer, Call, CallOptions, ChangeOptions, Described, List } from './types.ts'

type Query = Record<string, unknown>

/** The method of an operation: it takes the parameters of the path, then the body or the query, then how it is called. */
export function methodOf(service: Service, keys: KeyStore, described: Described) {
  const { method, path, takes, items } = described
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return (...args: unknown[]): Call<unknown> => {
    const ids = args.slice(0, names.length)
    const [given, options = {}] = takes
      ? [args[names.length], args[names.length + 1] as ChangeOptions | undefined]
      : [undefined, args[names.length] as ChangeOptions | undefined]
    const ask = async (query?: Query) => {
      const filled = pathOf(path, names, ids)
      const request: Request = {
        ...callOptions(options),
        method,
        path: filled + queryOf(query, described.commas),
        ...(takes === 'body' && { body: given ?? {} }),
        ...reading(described),
        ...(options.ifMatch !== undefined && { headers: { 'if-match': options.ifMatch } }),
      }
      return method === 'GET'
        ? call<unknown>(service, request)
        : change(service, keys, request, options)
    }
    const query = takes === 'query' ? ((given ?? {}) as Query) : undefined
    const made = callOf(ask(query))
    return items ? listOf(made, items, (cursor) => ask({ ...query, cursor })) : made
  }
}

const callOptions = ({ signal, timeoutMs, retryForMs }: CallOptions): CallOptions => ({
  signal,
  timeoutMs,
  retryForMs,
})

function reading({ answers }: Described): Pick<Request, 'read'> {
  if (answers === 'text') return { read: (response) => response.text() }
  if (answers === 'blob') return { read: (response) => response.blob() }
  return {}
}

/** A change has a key in any case: that of its step, the caller's, or a new one. */
async function change(
  service: Service,
  keys: KeyStore,
  request: Request,
  { step, key }: ChangeOptions,
): Promise<Answer<unknown>> {
  if (step === undefined) return call(service, { ...request, key: key ?? newKey() })
  if (key !== undefined)
    throw new PostroomError('invalid_options', 'A call has a step or a key, not both.')
  request.signal?.throwIfAborted()
  const kept = await keyOf(keys, step)
  const sentAt = new Date()
  const answer = await call(service, { ...request, key: kept.key })
  // A renewal that fails costs no more than that the step is too old earlier.
  await renewed(keys, step, kept, sentAt).catch(() => {})
  return answer
}

/** @throws PostroomError invalid_options for what would lead to another address, such as an empty id or `..`. */
function pathOf(path: string, names: string[], ids: unknown[]): string {
  return names.reduce((filled, name, i) => {
    const id = ids[i]
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
      throw new PostroomError('invalid_options', `${name}: ${JSON.stringify(id)} is no id.`)
    return filled.replace(`{${name}}`, () => encodeURIComponent(id))
  }, path)
}

/** `field: { tier: 'gold' }` is the parameter `field.tier`. What is undefined is left out, and a list is repeated or has commas. */
export function queryOf(query: Query = {}, commas: readonly string[] = []): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    if (Array.isArray(value) && !commas.includes(name))
      for (const one of value) parameters.append(name, String(one))
    else if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [member, one] of Object.entries(value))
        parameters.append(member.startsWith(`${name}.`) ? member : `${name}.${member}`, String(one))
    else parameters.append(name, String(value))
  }
  const text = parameters.toString()
  return text && `?${text}`
}

function callOf<T>(answer: Promise<Answer<T>>): Call<T> {
  const body = answer.then((answer) => answer.body)
  return Object.assign(body, {
    answer() {
      // Whoever asks for the whole answer learns of a failure there.
      body.catch(() => {})
      return answer
    },
  })
}

type Page = Record<string, unknown> & { next: string | null }

function listOf(
  first: Call<unknown>,
  items: string,
  ask: (cursor: string) => Promise<Answer<unknown>>,
): List<unknown, unknown> {
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      for (let page = (await first) as Page; ; page = (await ask(page.next)).body as Page) {
        yield* page[items] as unknown[]
        if (!page.next) return
      }
    },
  })
}
