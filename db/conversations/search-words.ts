import { type OperationNodeSource, sql } from 'kysely'
import { prefixOf, searchedOf } from '../../rules/search/searched.ts'
import { lexemesOf, subjectLexemesOf } from '../../rules/search/words.ts'
import { insertOf, type NewRows } from '../rows.ts'

// The index of words (GET /search). What is written for every message and conversation brings its words along, made here, because
// Postgres would take several times as long for it. So does an import, for its cards (people/card-words.ts). Triggers see to all
// else: changes, removals, people and notes, and rows that came without words (migrations/0103-search.ts).

type Of = { id: string; workspace: string; at: Date }
type Said = Of & { conversation: string; subject: string; text: string }

export const messageLexemes = (
  message: Omit<Said, 'conversation' | 'at' | 'id'>,
  files: string[] = [],
) => lexemesOf(prefixOf(message.workspace, 'message'), searchedOf(message, files))

export const conversationLexemes = ({ workspace, subject }: Pick<Said, 'workspace' | 'subject'>) =>
  subjectLexemesOf(prefixOf(workspace, 'conversation'), subject)

export const intoWords = sql`search_words (kind, ref, workspace, conversation, at, files, words)`

/** The words of a new message; `files` are the names of those that it is stored with. */
export const messageWords = (message: Said, files: string[] = []): NewRows => ({
  into: intoWords,
  rows: [
    sql`('message', ${message.id}, ${message.workspace}, ${message.conversation}, ${message.at}, ${files.length},
      ${messageLexemes(message, files)}::tsvector)`,
  ],
})

/** The words of a new conversation. */
export const conversationWords = (conversation: Of & { subject: string }): NewRows => ({
  into: intoWords,
  rows: [
    sql`('conversation', ${conversation.id}, ${conversation.workspace}, ${conversation.id}, ${conversation.at}, 0,
      ${conversationLexemes(conversation)}::tsvector)`,
  ],
})

/** An insert with the words of what it inserts, as one statement. */
export const withWords = (words: NewRows, insert: OperationNodeSource) =>
  sql`with words as (${insertOf(words)}) ${insert}`
