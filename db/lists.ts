// What lists of several kinds have in common.

/** At this many, reading all of them costs about as much as meeting a page of them among a million others. */
export const few = 2000

/** For ilike: a text that contains this word, in which no character has a meaning of its own. */
export const partOf = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`
