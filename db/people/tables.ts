import type { Generated } from 'kysely'
import type { AddressKind } from '../../rules/addresses.ts'
import type { OwnFields } from '../../rules/own-fields.ts'
import type { Sought } from '../../rules/people/erased-words.ts'
import type { ImportMode, ImportRows, ImportStops } from '../../rules/people/import-batch.ts'
import type { ImportError } from '../../rules/people-file/rows.ts'
import type { Side } from '../../rules/sides.ts'
import type { At, Json, JsonOrNull } from '../columns.ts'

// People with their addresses, and imports of files with people.

export type RowOutcome = 'new' | 'update' | 'same' | 'duplicate' | 'invalid' | 'erased'

export interface Prospects {
  id: string
  workspace: string
  name: string
  email: string
  phone: string
  linkedin: string
  company: string
  city: string
  jobTitle: string
}

export interface People {
  id: string
  workspace: string
  name: string
  city: string
  jobTitle: string
  company: string
  createdAt: At
  updatedAt: At
  /** Letters wait while heldWhy is not null; without heldUntil, until somebody releases them (holds.ts). */
  heldUntil: At | null
  heldWhy: string | null
  /** When a report without proof last held letters, and when a member was last notified of one. */
  doubtedAt: At | null
  doubtToldAt: At | null
  /** The client's own id and fields. */
  externalId: string | null
  fields: Json<OwnFields>
  /** Of somebody who was erased, nothing but the id and the instants is left (db/people/erased.ts). */
  erasedAt: At | null
  /** A mail alone has made the card: nobody has written to its person or said anything about them. */
  fromMail: Generated<boolean>
}

/** The id of a card that became part of another one. */
export interface MergedPeople {
  id: string
  workspace: string
  /** The card that it is part of now; never itself a merged one. */
  person: string
  at: NonNullable<At>
}

/** The fields of people in the order of a list; a trigger keeps them in step with people.fields. */
export interface FieldsOfPeople {
  workspace: string
  person: string
  field: string
  value: string
  sortName: string
}

export interface Addresses {
  workspace: string
  kind: AddressKind
  value: string
  given: string
  person: string
  position: number
}

export interface PersonTags {
  person: string
  label: string
  side: Side
  addedAt: At
  removedAt: At | null
}

export interface Imports {
  id: string
  workspace: string
  operation: string
  name: string
  content: Buffer | null
  columns: Json<Record<string, unknown>[]>
  cursor: Generated<number>
  rows: Json<ImportRows & { suppressions?: ImportStops }>
  errors: Json<ImportError[]>
  state: Generated<string>
  mode: Generated<ImportMode>
  /** Whose national phone numbers the file has. */
  region: string | null
  /** Where the client says that the headings are, 0 if there are none, and which sheet it means. */
  headings: number | null
  sheet: string | null
  /** Its bytes count as stored. */
  counted: Generated<boolean>
}

/** The outcome of a row; `joined` is the earlier row of the file that led to the same card. */
export interface ImportedRows {
  operation: string
  row: number
  outcome: RowOutcome
  person: string | null
  joined: number | null
  errors: JsonOrNull<ImportError[]>
}

/** The key with which the addresses of erased people of a workspace, which is its id, are hashed. */
export interface ErasureKeys {
  id: string
  /** Sealed: 32 bytes in base64. */
  secret: string
}

/** An address that somebody had who was erased (db/people/erased.ts). */
export interface ErasedAddresses {
  workspace: string
  hash: Buffer
  erasedAt: NonNullable<At>
}

/** How far an erasure has come (db/erasure/erasures.ts). */
export interface Erasures {
  operation: string
  workspace: string
  person: string
  /** What is still to be found; null once nothing of it is left. */
  sought: JsonOrNull<Sought>
  step: Generated<number>
  /** Where the step goes on. */
  after: JsonOrNull<unknown>
  counts: Json<Record<string, number>>
}
