/** Tables that have hundreds of thousands of rows in a deployment of some years. */
export const largeTables: readonly string[] = [
  ...['people', 'addresses', 'person_tags', 'person_fields', 'import_rows', 'segment_people'],
  ...['conversations', 'conversation_labels', 'messages', 'files', 'notes', 'touches'],
  ...['events', 'deliveries', 'audit', 'notifications', 'operations', 'outbox'],
  ...['search_words', 'sent_evidence', 'letter_ids', 'suppressions', 'erased_addresses'],
]
