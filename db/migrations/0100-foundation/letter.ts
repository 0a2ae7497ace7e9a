/** What every table of letters has of the attempts to hand one over (db/outgoing/life.ts). */
export const attempts = `attempt text,
  tries integer not null default 0,
  first_claimed_at timestamptz(3),
  claimed_at timestamptz(3),
  claimed_day date,
  leased_until timestamptz(3),
  sent_at timestamptz(3)`
