import { readdirSync, readFileSync } from 'node:fs'
import { tableIn } from './tsv.ts'

// The mails in test/mails: a folder holds those of one kind, and verdicts.tsv says of each what the service reads from it.

const root = new URL('../mails/', import.meta.url)

export const foldersOfMail = (): string[] => readdirSync(root)

export const verdictsOf = (folder: string) => tableIn(new URL(`${folder}/verdicts.tsv`, root))

export const filesOf = (folder: string): string[] =>
  readdirSync(new URL(`${folder}/`, root)).filter((name) => name !== 'verdicts.tsv')

/** A mail as it came, byte for byte. */
export const mailIn = (folder: string, file: string): Buffer =>
  readFileSync(new URL(`${folder}/${file}`, root))
