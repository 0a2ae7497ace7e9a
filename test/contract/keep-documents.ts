import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bones } from './breaking.ts'
import { documents } from './documents.ts'

// Keeps what clients rely on of the documents, when a release is made: `dev/run test/contract/keep-documents.ts`.

for (const [name, document] of Object.entries(documents)) {
  const file = join(import.meta.dirname, 'released', `${name}.json`)
  await writeFile(file, `${JSON.stringify(bones(JSON.parse(JSON.stringify(document()))))}\n`)
}
