import { readdir, readFile } from 'node:fs/promises'

// llms.txt and llms-full.txt (llmstxt.org), for models that write programs against the API: what there is and where, and all guides
// and calls in one text. Made of the documents of docs/ and the OpenAPI document, so they say what these say.

type Operation = { operationId?: string; summary?: string; description?: string }
type Document = { paths?: Record<string, Record<string, Operation>> }

const folder = new URL('../../docs/', import.meta.url)
// How the code is built, for those who change it.
const forOthers = new Set(['architecture.md'])

async function guides() {
  const names = (await readdir(folder)).filter(
    (name) => name.endsWith('.md') && !forOthers.has(name),
  )
  return Promise.all(
    names.sort().map(async (name) => {
      const text = (await readFile(new URL(name, folder), 'utf8')).trim()
      const title = /^# (.*)$/m.exec(text)?.[1] ?? name
      const first = text
        .split(/\n\n+/)
        .find((part) => /^[A-Z]/.test(part))
        ?.replace(/\s+/g, ' ')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      return { name, title, text, first: /^.*?[.:](?= |$)/.exec(first ?? '')?.[0] ?? '' }
    }),
  )
}

const callsOf = ({ paths = {} }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, one]) => ({ ...one, call: `${method.toUpperCase()} ${path}` })),
  )

const about =
  '> An open inbox and outreach service with an HTTP JSON API: nothing lost, nothing sent twice, nothing sent after a stop.'

/** What there is, and where. */
export async function describeShort(document: object, url: string): Promise<string> {
  const list = (await guides()).map(
    ({ title, first }) => `- [${title}](${url}/llms-full.txt): ${first}`,
  )
  const calls = callsOf(document as Document).map(
    ({ call, summary }) => `- \`${call}\`: ${summary}`,
  )
  return [
    `# Postroom\n\n${about}`,
    `Every call carries \`Authorization: Bearer <token>\`, and every change an \`Idempotency-Key\`. Agents can use the tools at ${url}/mcp.`,
    `## Documents\n\n- [OpenAPI 3.1](${url}/openapi.json): every call with its shapes\n- [Reference](${url}/docs): the same for people\n- [All guides in one text](${url}/llms-full.txt)`,
    `## Guides\n\n${list.join('\n')}`,
    `## Calls\n\n${calls.join('\n')}\n`,
  ].join('\n\n')
}

/** All guides, and each call with what it does. */
export async function describeInFull(document: object): Promise<string> {
  const texts = (await guides()).map(({ text }) => text)
  const calls = callsOf(document as Document).map(({ call, summary, description = '' }) =>
    `## ${call}\n\n${summary}. ${description}`.trim(),
  )
  return `# Postroom\n\n${about}\n\n${texts.join('\n\n')}\n\n# Calls\n\n${calls.join('\n\n')}\n`
}
