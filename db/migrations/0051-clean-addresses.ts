import type { Kysely } from 'kysely'
import { readEmail, shownEmail } from '../../rules/addresses.ts'
import { rewriteAddresses } from './0042-domains-in-unicode.ts'

// An address with a character that nobody sees, a sign of full width, or a quotation mark before it, was another one than the
// same without it. All are kept without now. Where two cards had one address, the card that had it clean keeps it.

export const up = (db: Kysely<unknown>): Promise<void> =>
  rewriteAddresses(db, [`@.*[^\\x01-\\x7f]`, `[^\\x01-\\x7f].*@`, `^['\`].*@`], (address) =>
    readEmail(address) ? shownEmail(address) : address,
  )

/** Nothing: what was left out was no part of the addresses. */
export async function down(): Promise<void> {}
