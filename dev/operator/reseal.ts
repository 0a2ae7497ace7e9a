import { loadConfig } from '../../config.ts'
import { resealColumn } from '../../db/sealed.ts'
import { keyId, type SealedColumn, sealedColumns } from '../../db/secrets.ts'
import { fail, withDatabase } from './commands.ts'

// npm run reseal: seals every secret under SECRET_KEY that is sealed under SECRET_KEY_PREVIOUS or in the form of 0.3.0. It may
// be run at any time, while everything runs, and again.

const config = loadConfig()
const { secretKey } = config
if (!secretKey) fail('Set SECRET_KEY, and SECRET_KEY_PREVIOUS to the key it replaces.')

await withDatabase(config, async (db) => {
  const unreadable: string[] = []
  for (const column of Object.keys(sealedColumns) as SealedColumn[]) {
    const done = await resealColumn(db, secretKey, column)
    console.log(`${column}: ${done.sealed} sealed anew, ${done.kept} as they were`)
    unreadable.push(...done.unreadable)
  }
  if (unreadable.length > 0) fail(...unreadable, `${unreadable.length} cannot be opened.`)
  console.error(
    `Every secret is sealed under the key ${keyId(secretKey.current)}: no other is needed.`,
  )
})
