import type { Deployment } from '../route.ts'
import { guideFiles } from './docs/guide-files.ts'
import type { OpenApi, Operation } from './openapi.ts'

// The reference for language models (llmstxt.org), in Markdown: `llms.txt` says what there is and where, `llms-full.txt` is all of it.

type Deployed = Pick<Deployment, 'variant' | 'publicUrl'>

/** What there is, with a line for each guide, group and call. The guides tell of the full deployment alone. */
export function briefFor(api: OpenApi, { variant, publicUrl }: Deployed): string {
  const guides = variant === 'full' ? guideFiles() : []
  return [
    head(api),
    `- [OpenAPI 3.1](${publicUrl}/openapi.json): every call with its members, values, answers and refusals; also [as YAML](${publicUrl}/openapi.yaml)
- [All of this](${publicUrl}/llms-full.txt): the guides and the calls as one text`,
    ...guides.map(
      ([whom, ours]) =>
        `## ${whom}\n\n${ours.map(({ name, title }) => `- [${title}](${publicUrl}/docs#guide-${name})`).join('\n')}`,
    ),
    ...byGroup(api).map(
      ({ name, description, calls }) =>
        `## ${name}\n\n${description}\n\n${calls.map(({ method, path, operation }) => `- [${operation.summary}](${publicUrl}/docs#${operation.operationId}): \`${method} ${path}\``).join('\n')}`,
    ),
  ].join('\n\n')
}

/** The guides as they are, and each call with its sample by curl, its body and its answer. */
export function wholeFor(api: OpenApi, { variant }: Deployed): string {
  const guides = variant === 'full' ? guideFiles().flatMap(([, ours]) => ours) : []
  return [
    head(api),
    api.info.description,
    ...guides.map(({ title, text }) => `# ${title}\n\n${text}`),
    '# Calls',
    ...byGroup(api).map(
      ({ name, description, calls }) =>
        `## ${name}\n\n${description}\n\n${calls.map(whole).join('\n\n')}`,
    ),
  ].join('\n\n')
}

const head = ({ info }: OpenApi) => `# ${info.title} ${info.version}\n\n> ${info.summary}`

type Call = { method: string; path: string; operation: Operation }

const byGroup = (api: OpenApi) => {
  const all = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Call => ({ method: method.toUpperCase(), path, operation }),
    ),
  )
  return api.tags
    .map(({ name, description }) => ({
      name,
      description,
      calls: all.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter(({ calls }) => calls.length > 0)
}

function whole({ method, path, operation }: Call) {
  const parameters = operation.parameters
    .filter(({ in: place }) => place === 'query')
    .map(({ name, description }) => `- \`${name}\`: ${description.replaceAll('\n\n', '\n')}`)
  const answer = operation.responses['200']
  const example =
    answer && 'content' in answer ? answer.content?.['application/json']?.example : undefined
  return [
    `### ${operation.summary}`,
    `\`${method} ${path}\` (\`${operation.operationId}\`)`,
    operation.description,
    parameters.join('\n'),
    `\`\`\`sh\n${operation['x-codeSamples'][0]?.source ?? ''}\n\`\`\``,
    example === undefined ? '' : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
  ]
    .filter(Boolean)
    .join('\n\n')
}
