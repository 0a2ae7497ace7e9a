import type { Kysely } from 'kysely'
import * as foundation from './0100-foundation/index.ts'
import * as conversationsAsked from './0101-conversations-asked.ts'
import * as eventReaders from './0102-event-readers.ts'
import * as search from './0103-search.ts'
import * as administration from './0104-administration.ts'
import * as connectionsByCall from './0105-connections-by-call.ts'
import * as connectLinks from './0106-connect-links.ts'
import * as mergedPeople from './0107-merged-people.ts'
import * as erasure from './0108-erasure.ts'
import * as operationsListed from './0109-operations-listed.ts'
import * as retention from './0110-retention.ts'
import * as campaignPlaces from './0111-campaign-places.ts'
import * as defaultConnection from './0112-default-connection.ts'
import * as membersLeave from './0113-members-leave.ts'
import * as connectionsRemoved from './0114-connections-removed.ts'
import * as workspacesErased from './0115-workspaces-erased.ts'
import * as holds from './0116-holds.ts'
import * as retentionOfMessages from './0118-retention-of-messages.ts'
import * as wordsOfCards from './0119-words-of-cards.ts'
import * as sandbox from './0121-sandbox.ts'
import * as preparedMessages from './0123-prepared-messages.ts'
import * as verificationsAtOnce from './0124-verifications-at-once.ts'
import * as quotas from './0126-quotas.ts'
import * as readAtSize from './0127-read-at-size.ts'
import * as partsOfWords from './0128-parts-of-words.ts'
import * as largeWorkspaces from './0129-large-workspaces.ts'
import * as joinsInOrder from './0132-joins-in-order.ts'
import * as wakes from './0133-wakes.ts'

/**
 * A step of the schema, which the release before it works on too. It is taken while the service runs, so it holds up nobody: `up`
 * only adds, and neither reads nor writes the rows of a large table.
 */
export type Step = {
  /** One transaction. It gives up if it has to wait for a lock, and is tried again. */
  up(db: Kysely<unknown>): Promise<void>
  /** Indexes of tables that are there already, built after `up`, each concurrently. */
  indexes?: readonly Index[]
  /** What rows get that are there already. The release that brings it works before it is done. */
  backfill?: Backfill
}

export type Index = {
  name: string
  /** What stands behind `on` in `create index`: the table, the columns and the condition. */
  on: string
  unique?: boolean
}

/**
 * Fills in a batch of at most `most` rows, in the order of a key, behind the one with the key `after` (empty: from the first).
 * Answers the key of the last one; undefined if none is left. A batch is one transaction; it may be carried out again.
 */
export type Backfill = (
  trx: Kysely<unknown>,
  after: string,
  most: number,
) => Promise<string | undefined>

/** The steps in the order of their names, which is that of their numbers. */
export const steps: Readonly<Record<string, Step>> = {
  '0100-foundation': foundation,
  '0101-conversations-asked': conversationsAsked,
  '0102-event-readers': eventReaders,
  '0103-search': search,
  '0104-administration': administration,
  '0105-connections-by-call': connectionsByCall,
  '0106-connect-links': connectLinks,
  '0107-merged-people': mergedPeople,
  '0108-erasure': erasure,
  '0109-operations-listed': operationsListed,
  '0110-retention': retention,
  '0111-campaign-places': campaignPlaces,
  '0112-default-connection': defaultConnection,
  '0113-members-leave': membersLeave,
  '0114-connections-removed': connectionsRemoved,
  '0115-workspaces-erased': workspacesErased,
  '0116-holds': holds,
  '0118-retention-of-messages': retentionOfMessages,
  '0119-words-of-cards': wordsOfCards,
  '0121-sandbox': sandbox,
  '0123-prepared-messages': preparedMessages,
  '0124-verifications-at-once': verificationsAtOnce,
  '0126-quotas': quotas,
  '0127-read-at-size': readAtSize,
  '0128-parts-of-words': partsOfWords,
  '0129-large-workspaces': largeWorkspaces,
  '0132-joins-in-order': joinsInOrder,
  '0133-wakes': wakes,
}
