import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const Version = z.string().regex(/^v?\d+\.\d+\.\d+$/)
const Block = z.object({
  namespace: z.string(),
  retention: z.string().regex(/^\d+h$/),
  searchAttributes: z.record(z.string(), z.literal('Keyword')),
  dynamicConfig: z.string().transform((text) => DynamicConfig.parse(parse(text))),
  versions: z.object({ cli: Version, uiServer: Version, timeSkippingServer: Version }),
})
const DynamicConfig = z.record(z.string(), z.tuple([z.object({ value: z.json() })]))

/** What the service needs in a Temporal cluster: the x-temporal block of temporal-dev.yml. */
export const declared = readDeclared()

function readDeclared() {
  const text = readFileSync(new URL('../../temporal-dev.yml', import.meta.url), 'utf8')
  const block = Block.parse(parse(text, { merge: true })['x-temporal'])
  return Object.freeze({
    ...block,
    retentionSeconds: Number.parseInt(block.retention, 10) * 3600,
    dynamicConfig: Object.fromEntries(
      Object.entries(block.dynamicConfig).map(([key, [{ value }]]) => [key, value]),
    ),
  })
}
