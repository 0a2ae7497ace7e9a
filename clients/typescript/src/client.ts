import type { Service } from './call.ts'
import {
  type FollowOptions,
  followEvents,
  type KeptEvent,
  type StreamOptions,
  streamEvents,
} from './events.ts'
import { type Operations, operations } from './generated/operations.ts'
import type { Operation } from './generated/schemas.ts'
import { type KeyStore, keyOf, memoryKeys } from './keys.ts'
import { methodOf } from './methods.ts'
import { PostroomError } from './problems.ts'
import type { CallOptions } from './types.ts'
import { waitFor } from './wait.ts'

export type ClientOptions = {
  /** The address of the API, such as `https://postroom.firm.example/api/v1`. */
  url: string
  /** The token, or what gives it for each call. It is sent to the origin of `url` alone. */
  token: string | (() => string | Promise<string>)
  /** Where the keys of steps are kept; by default in memory, as long as the program runs. */
  keys?: KeyStore
  /** How long one attempt of a call may take: 40 seconds by default. The service waits for up to 25 before it answers. */
  timeoutMs?: number
  /** How long a call without a clear answer is repeated in all: two minutes by default. */
  retryForMs?: number
  /** Allows `http:` to other machines than this one. The token can be read on the way. */
  allowHttp?: boolean
  /** Replaces the `fetch` of the runtime. */
  fetch?: typeof fetch
}

export type WaitOptions = CallOptions & {
  /** How long to wait in all: ten minutes by default. */
  forMs?: number
}

export interface Client extends Operations {
  /**
   * Waits until the work that a call has started has ended, well or not: `state` says which. Name the call by its key, or by its step.
   * @throws PostroomError not_ended
   */
  wait(operation: string | { step: string }, options?: WaitOptions): Promise<Operation>
  /** Events as they happen, each once and in order, by calls that wait for them. Keep the `cursor` of the last one, and begin after it. */
  followEvents(options?: FollowOptions): AsyncGenerator<KeptEvent, never>
  /** The same from the stream of the service, which takes one connection. */
  streamEvents(options?: StreamOptions): AsyncGenerator<KeptEvent, never>
  /** Where the keys of steps are kept. */
  readonly keys: KeyStore
}

const defaultTimeoutMs = 40_000
const defaultRetryForMs = 120_000

/** @throws PostroomError invalid_options */
export function createClient(options: ClientOptions): Client {
  const service = serviceOf(options)
  const keys = options.keys ?? memoryKeys()
  const methods = Object.fromEntries(
    Object.entries(operations).map(([id, described]) => [id, methodOf(service, keys, described)]),
  ) as unknown as Operations
  return {
    ...methods,
    keys,
    wait: async (operation, { forMs = 600_000, ...options } = {}) => {
      const key =
        typeof operation === 'string' ? operation : (await keyOf(keys, operation.step)).key
      return waitFor(service, key, forMs, options)
    },
    followEvents: (options) => followEvents(service, options),
    streamEvents: (options) => streamEvents(service, options),
  }
}

function serviceOf({ url, token, allowHttp, ...options }: ClientOptions): Service {
  const invalid = (why: string) => new PostroomError('invalid_options', why)
  if (!URL.canParse(url)) throw invalid('url: is not an address.')
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(url)
  if (username || password || search || hash)
    throw invalid('url: may have neither a user, nor a query, nor a fragment.')
  const isHere =
    hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && (isHere || allowHttp)))
    throw invalid('url: must begin with https:, or else the token can be read on the way.')
  const given = typeof token === 'string' ? () => token : token
  return {
    base: origin + pathname.replace(/\/+$/, ''),
    async token() {
      const value = await given()
      if (/^[\x21-\x7e]+$/.test(value)) return value
      throw invalid('token: is empty or no token.')
    },
    // Browsers refuse to call it as a method of anything else.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    retryForMs: options.retryForMs ?? defaultRetryForMs,
  }
}
