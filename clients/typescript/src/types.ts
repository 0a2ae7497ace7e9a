/** How a call is made. */
export type CallOptions = {
  /** Ends the call, whatever it is waiting for. What was sent may have been carried out: repeat it with the same key. */
  signal?: AbortSignal | undefined
  /** How long one attempt may take, until its answer has been read. */
  timeoutMs?: number | undefined
  /** How long a call without a clear answer is repeated in all. */
  retryForMs?: number | undefined
}

/** How a change is made. Without a step and a key it has a new key, which its repeats have too. */
export type ChangeOptions = CallOptions & {
  /**
   * Names a step of your job, such as `letter to ext:42`. Its key is kept before the call goes out, so that a program that has died
   * takes the same step again with the same key, and it is carried out once.
   */
  step?: string | undefined
  /** A key of your own. */
  key?: string | undefined
  /** The `etag` of what was read: the change is refused with `changed_meanwhile` if it is another one by now. */
  ifMatch?: string | undefined
}

/** An answer with what came beside its body. */
export type Answer<T> = {
  body: T
  status: number
  /** Identifies the call in the log of the service. */
  requestId: string | undefined
  /** Identifies what was read, for `ifMatch`. */
  etag: string | undefined
  /** Whether this is the answer of an earlier call with the same key. */
  replayed: boolean
  /** The key of the change; undefined for a read. */
  key: string | undefined
}

/** A call that is under way: a promise of the body of its answer. */
export type Call<T> = Promise<T> & {
  /** The whole answer. */
  answer(): Promise<Answer<T>>
}

/** A page of a list; `for await` goes on through all further pages, entry by entry. */
export type List<T, Item> = Call<T> & AsyncIterable<Item>

/** An operation, as its method needs to know it. */
export type Described = {
  method: string
  /** Behind the address of the API, with the names of its parameters in braces. */
  path: string
  /** What its method takes behind the parameters of the path. */
  takes?: 'body' | 'query'
  /** The member of the answer that holds the entries of a list. */
  items?: string
  /** What is answered, if it is not JSON. */
  answers?: 'text' | 'blob'
  /** Parameters that are lists with commas. */
  commas?: string[]
}
