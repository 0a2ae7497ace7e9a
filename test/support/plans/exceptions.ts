/** What may read a large table from end to end, each with its reason. */
export type Exception = { sql: RegExp; reason: string }

export const exceptions: Exception[] = []
