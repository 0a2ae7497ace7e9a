import { holdOf, type Sender, unfitLevels } from './budgets.ts'
import { type Hours, windowAt } from './hours.ts'

// May this letter go now? The claim of a letter of a campaign asks it with everything locked that the answer depends on, so what
// is answered here is final. The pace of a campaign (pace.ts) asks the same about all its letters ahead, without locks.

/** What may stand between one letter and its account, as the locked rows say. */
export type Obstacles = {
  /** Everything, the workspace or a host of the account is held. */
  isStopped: boolean
  /** What forbids another letter to the person at any time. */
  refusal: string | undefined
  /** The address that the letter goes to is still one of its person. */
  isTheirs: boolean
  /** The person's letters are held, by a member or because they are away. */
  isHeld: boolean
  /** `open`: nobody has agreed to the letter. `old`: its place is agreed, but its text is of an earlier brief. */
  agreement: 'agreed' | 'open' | 'old'
  /** A letter of another campaign was claimed for the person that day. */
  isWrittenTo: boolean
  usedDay: number
  usedWeek: number
  /** The mailbox of the account may hold an unread answer. */
  isBehind: boolean
  agent: { enabled: boolean; hours: Hours } | null
  /** The campaign writes through the account. */
  isSender: boolean
  /** The account rests, and another letter tries whether it works again. */
  isResting: boolean
}

/** Which letter, through which account, and where the days of its budget begin. */
export type Asked = {
  place: number
  account: Omit<Sender, 'alive' | 'problem' | 'usedDay' | 'usedWeek'>
  /** The zone of the workspace. */
  zone: string
}

/**
 * `go`: it is claimed. `fail`: it never goes. `readdress`: its person has another address now. `hold`: it waits with its person.
 * `review`: somebody has to agree to it. `forget`: it is written again. `postpone`: it goes tomorrow. `wait`: the campaign's runner
 * finds out what for.
 */
export type Ruling =
  | { do: 'go' | 'readdress' | 'hold' | 'review' | 'forget' | 'postpone' | 'wait' }
  | { do: 'fail'; reason: string }

/** The first that applies decides: what is held altogether, what concerns the person, then the letter, then the account. */
export function rulingOn(found: Obstacles, { place, account, zone }: Asked, now: Date): Ruling {
  const { refusal, usedDay, usedWeek } = found
  if (found.isStopped) return { do: 'wait' }
  if (refusal !== undefined) return { do: 'fail', reason: refusal }
  if (!found.isTheirs) return { do: 'readdress' }
  if (found.isHeld) return { do: 'hold' }
  if (found.agreement === 'open') return { do: 'review' }
  if (found.agreement === 'old') return { do: 'forget' }
  if (found.isWrittenTo) return { do: 'postpone' }
  const isOpen = found.agent?.enabled && windowAt(found.agent.hours, now).open
  const waits =
    holdOf({ ...account, alive: true, problem: null, usedDay, usedWeek }, zone, now) !==
      undefined ||
    found.isResting ||
    // An answer to the letter before it may lie there.
    (place > 1 && found.isBehind) ||
    // A sitting reads the accounts of its campaign from time to time only.
    !found.isSender ||
    unfitLevels.includes(account.health) ||
    !isOpen
  return { do: waits ? 'wait' : 'go' }
}
