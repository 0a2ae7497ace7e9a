import { type Clock, openClock } from './clock.ts'
import { type Db, onceAvailable } from './database.ts'
import { compareClocks, type MachineClock } from './machine-clock.ts'
import { refusePooler } from './pooler.ts'

export type FirstContact = {
  /** The business clock that the environment gives, if it does. */
  clock: string | undefined
  /** Called while the database cannot be reached; it is tried again. */
  unavailable(): void
  /** Called each time that this machine's clock differs. */
  differs(aheadMs: number): void
  /** Called with what an operator has to change, if the database cannot be used like this. */
  refused(error: Error): never
}

/** What a process does first with its database, once it answers: nothing goes on through a wrong pooler, or without a clock. */
export async function meetDatabase(
  db: Db,
  { clock: configured, unavailable, differs, refused }: FirstContact,
): Promise<{ machine: MachineClock; clock: Clock }> {
  const patiently = <T>(work: () => Promise<T>) => onceAvailable(work, unavailable)
  await patiently(() => refusePooler(db)).catch(refused)
  const machine = await patiently(() => compareClocks(db, differs))
  return { machine, clock: await patiently(() => openClock(db, configured, machine)) }
}
