import { setNewest } from '../../../rules/newest.ts'

// What is remembered of a mailbox from one session to the next, for as long as it is read here: which mails and folders went wrong.

const mostKept = 1_000
const restMs = 15 * 60_000
/** A folder in which so many sessions in a row have ended is left alone for a while. */
const mostDeaths = 3

export type Mind = ReturnType<typeof openMind>

export function openMind() {
  const trials = new Map<string, number>()
  const deaths = new Map<string, { times: number; until: number }>()
  const doubts = new Map<string, number>()
  const told = new Set<string>()
  return {
    /** How often a mail could not be fetched, this time included. */
    failed(mail: string): number {
      const times = (trials.get(mail) ?? 0) + 1
      setNewest(trials, mail, times, mostKept)
      return times
    },
    failures: (mail: string) => trials.get(mail) ?? 0,
    forget: (mail: string) => void trials.delete(mail),
    /** A session has ended in this folder. */
    died(folder: string) {
      const times = (deaths.get(folder)?.times ?? 0) + 1
      const until = times >= mostDeaths ? performance.now() + restMs : 0
      setNewest(deaths, folder, { times, until }, mostKept)
    },
    isLeftAlone: (folder: string) => (deaths.get(folder)?.until ?? 0) > performance.now(),
    /** A folder was read to its end. */
    wasRead(folder: string) {
      deaths.delete(folder)
      doubts.delete(folder)
    },
    /** How often the numbers of a folder did not fit, this time included. */
    doubted(folder: string): number {
      const times = (doubts.get(folder) ?? 0) + 1
      doubts.set(folder, times)
      return times
    },
    isDoubted: (folder: string) => doubts.has(folder),
    /** True the first time. */
    tellsOf(what: string): boolean {
      if (told.has(what)) return false
      told.add(what)
      return true
    },
  }
}
