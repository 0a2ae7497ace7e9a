/** What may read a large table from end to end, each with its reason. */
export type Exception = { sql: RegExp; reason: string }

export const exceptions: Exception[] = [
  {
    sql: /^select "reason", count\(\*\) as "count" from "suppressions" where "at" > \$1/,
    reason:
      'suppressions_recent says which pages are of the last hour, which pays for a large table alone',
  },
]
