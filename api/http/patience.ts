/** How long calls wait and are waited for (docs/deploying.md). Tests of what comes afterwards shorten it. */
export type Patience = Record<keyof typeof patience, number>

export const patience = {
  /** For the body of a call with a token; one that may have files has more. */
  bodyMs: 30_000,
  /** For the first mebibyte of a body whose sender is unknown until it has been read, and for each further one. */
  firstMebibyteMs: 10_000,
  nextMebibyteMs: 3_000,
  /** For the rest of a body that nobody reads, so that its sender gets to read the answer. */
  discardMs: 10_000,
  /** Of a large body, unread, for the caller's other bodies to leave room. Refusing it at once would cost more: callers try again. */
  roomMs: 25_000,
  /** Of a call, for another one with its key and for its turn in its workspace. */
  turnMs: 25_000,
  /** For the end of the work that a call has started. */
  answerMs: 25_000,
  /** For its beginning: by then Temporal is down, and waiting longer would only delay the caller. */
  dispatchMs: 2_000,
}
