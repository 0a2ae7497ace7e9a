/** Why a file of people cannot be read, in a sentence for its sender. */
export type Unreadable = { unreadable: string }
