import { resealColumn } from '../../db/sealed.ts'
import { keyId, type SealedColumn, sealedColumns } from '../../db/secrets.ts'
import { loadConfig } from '../../process/config.ts'
import { fail, withDatabase } from './commands.ts'

// npm run reseal: seals with SECRET_KEY every secret that is sealed with SECRET_KEY_PREVIOUS. It may run at any time, beside the
// running service, and more than once.

const config = loadConfig()
const { secretKey } = config
if (!secretKey) fail('Set SECRET_KEY, and SECRET_KEY_PREVIOUS to the key it replaces.')

await withDatabase(config, async (db) => {
  const unreadable: string[] = []
  for (const column of Object.keys(sealedColumns) as SealedColumn[]) {
    const done = await resealColumn(db, secretKey, column)
    console.log(`${column}: ${done.sealed} sealed again, ${done.kept} unchanged`)
    unreadable.push(...done.unreadable)
  }
  if (unreadable.length > 0) fail(...unreadable, `${unreadable.length} cannot be opened.`)
  console.error(
    `Every secret is sealed with the key ${keyId(secretKey.current)}: no other key is needed.`,
  )
})
