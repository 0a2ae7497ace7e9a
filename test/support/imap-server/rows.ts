// How a scripted server behaves: a table of rows, of which the first that fits a command says how it is answered.

export type Answer = {
  /** Says the answer that much later. */
  delayMs?: number
  /** Says this line first, without its `* `. */
  untagged?: string
  /** Refuses, with this text; a response code stands in brackets before it. */
  no?: string
  bad?: string
  /** Says BYE with this text, and closes. */
  bye?: string
  /** Closes without a word. */
  close?: true
  /** Never answers, nor anything after it. IDLE is begun, and then nothing is told. */
  silence?: true
  /** Takes this command without an answer, and answers the next ones. */
  swallow?: true
  /** Says a line that never ends, some bytes a second. */
  trickle?: true
  /** How many mails a FETCH gives before what else the row says. */
  mails?: number
  /** UIDs that FETCH and SEARCH leave out. */
  leaveOut?: number[] | 'all'
  /** Breaks a literal off after so many bytes, and closes; with `silence` it stays open. */
  cutAt?: number
  /** LIST or SEARCH that finds nothing. */
  empty?: true
  /** How many mails more SELECT, NOOP, IDLE and STATUS count than there are. */
  exists?: number
  uidNext?: number
  uidValidity?: number
  /** The server ends IDLE by itself after so long, with OK; with `bye` or `close` in that way. */
  endIdleMs?: number
}

/** What a row waits for; all that is named has to be so. */
export type When = {
  /** Which of the commands that fit otherwise, counted from 1: one of them, or from and to. */
  time?: number | [from: number, to: number]
  /** In ms since the row was laid down. */
  after?: number
  until?: number
  folder?: string
  /** The command asks for this UID. */
  uid?: number
  /** It asks for several mails, or for a single one. */
  several?: boolean
  /** It asks for an item that begins so; PEEK and ranges are not told apart: `BODY[]`, `BODY[HEADER`. */
  item?: string
  /** Which session of the login, counted from 1. */
  session?: number | [from: number, to: number]
  probability?: number
}

export type Row = {
  /** Of which accounts; all, unless it is said. */
  login?: string | string[]
  /** `GREETING`, the name of a command without UID, or `DONE` after IDLE; AUTHENTICATE counts as `LOGIN`. */
  verb: string
  when?: When
  answer: Answer
}

export type Told = {
  login: string
  verb: string
  session: number
  folder?: string | undefined
  /** Whether it asks for this UID. */
  asks?: ((uid: number) => boolean) | undefined
  several?: boolean | undefined
  items?: string[] | undefined
}

const within = (n: number, range: number | [number, number]) =>
  typeof range === 'number' ? n === range : n >= range[0] && n <= range[1]

/** The rows of a server. `random` gives numbers from 0 to 1, so that a seed decides. */
export function tableOf(random: () => number) {
  let rows: { row: Row; since: number; times: Map<string, number> }[] = []
  const laid = (row: Row) => ({ row, since: Date.now(), times: new Map<string, number>() })
  return {
    set(next: Row[]) {
      rows = next.map(laid)
    },
    /** Rows that come before those that lie there. */
    add(...next: Row[]) {
      rows = [...next.map(laid), ...rows]
    },
    answerTo(told: Told): Answer {
      for (const { row, since, times } of rows) {
        const { login, verb, when = {} } = row
        if (verb !== told.verb) continue
        if (login !== undefined && ![login].flat().includes(told.login)) continue
        const age = Date.now() - since
        if (age < (when.after ?? 0) || age >= (when.until ?? Number.POSITIVE_INFINITY)) continue
        if (when.folder !== undefined && when.folder !== told.folder) continue
        if (when.uid !== undefined && !told.asks?.(when.uid)) continue
        if (when.several !== undefined && when.several !== told.several) continue
        const { item } = when
        if (item && !told.items?.some((one) => one.startsWith(item))) continue
        if (when.session !== undefined && !within(told.session, when.session)) continue
        if (when.probability !== undefined && random() >= when.probability) continue
        const time = (times.get(told.login) ?? 0) + 1
        times.set(told.login, time)
        if (when.time !== undefined && !within(time, when.time)) continue
        return row.answer
      }
      return {}
    },
  }
}
