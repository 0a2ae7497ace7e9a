/** Why a file of people cannot be read, in a sentence for whoever sent it. */
export type Unreadable = { unreadable: string }
