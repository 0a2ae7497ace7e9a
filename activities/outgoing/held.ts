// What waits for the end of a hold is signalled when it ends. In case the signal is lost, its row is read this often.
export const heldPollMs = 6 * 60 * 60_000
