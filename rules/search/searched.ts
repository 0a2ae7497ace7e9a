import { createHash } from 'node:crypto'
import { ownWords } from '../mail/own-words.ts'

// What is searched, and how the words of each kind of it begin.

export const searchKinds = ['message', 'conversation', 'person', 'note'] as const
export type SearchKind = (typeof searchKinds)[number]

/** Words begin with it, so that a search reads the entries of its own workspace and kind alone; as search_prefix of Postgres makes it. */
export const prefixOf = (workspace: string, kind: SearchKind) =>
  createHash('md5').update(`${workspace} ${kind}`).digest('base64').slice(0, 4)

/** What is searched of a message: what its writer wrote themselves, its subject and the names of its files. */
export const searchedOf = ({ text, subject }: { text: string; subject: string }, files: string[]) =>
  [ownWords(text), subject, ...files].filter(Boolean).join(' · ')
