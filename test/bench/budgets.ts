import type { Cost } from './costs.ts'

// What one unit of work may cost at most, as counted. A change that needs more has to say why; one that needs less lowers the
// number.

export type Budget = {
  /** What is counted. */
  unit: string
  statements: number
  events?: number
  workflowTasks?: number
  activities?: number
}

export const budgets = {
  accepted: { unit: 'POST of a message', statements: 3 },
  repeated: { unit: 'the same call again, with its key', statements: 1 },
  sent: {
    unit: 'a message that goes at once: call, relay and workflow',
    statements: 14,
    events: 6,
    workflowTasks: 1,
    activities: 0,
  },
  sentFirst: {
    unit: 'a message that is due now, before which its account is opened',
    statements: 15,
    events: 11,
    workflowTasks: 2,
    activities: 1,
  },
  list: { unit: 'a list of conversations', statements: 2 },
  single: { unit: 'a single conversation', statements: 2 },
  // One of them asks whether somebody was erased whose address a file would bring back.
  keyless: { unit: 'a change without a key', statements: 7 },
  // Four of them pass the fence of the holds.
  delivery: {
    unit: 'an event that is delivered to a webhook',
    statements: 32,
    events: 11,
    workflowTasks: 2,
    activities: 1,
  },
  letter: {
    unit: 'a letter of a campaign, 30 seconds after the one before it',
    statements: 20,
    events: 11,
    workflowTasks: 2,
    activities: 1,
  },
  letterOfTen: {
    unit: 'such a letter where ten campaigns share the account',
    statements: 25,
    events: 11,
    workflowTasks: 2,
    activities: 1,
  },
  set: {
    unit: 'a set of up to a hundred quiet mailboxes, every ten seconds',
    statements: 2,
  },
} satisfies Record<string, Budget>

export type Unit = keyof typeof budgets

export const counts = ['statements', 'events', 'workflowTasks', 'activities'] as const

/** What is over the budget, in words; undefined if nothing is. `letters` are how many units were counted together. */
export function overBudget(unit: Unit, cost: Cost, letters = 1): string | undefined {
  const budget: Budget = budgets[unit]
  const over = counts.filter((name) => (cost[name] ?? 0) / letters > (budget[name] ?? Infinity))
  if (over.length === 0) return undefined
  return over
    .map((name) => `${(cost[name] as number) / letters} ${name}, ${budget[name]} allowed`)
    .join('; ')
}
