import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Db } from '../../db/database.ts'
import { createToken } from '../../db/workspace/tokens.ts'

// An agent as its program connects it: the official client, over HTTP.

/** What a person answers who is asked; undefined for a program that cannot ask. */
export type Asked = (message: string) => boolean

/** A token for an agent; `unattended` as only the operator makes one. */
export const agentToken = async (
  db: Db,
  { id: workspace, member }: { id: string; member: string },
  given: { scopes: string[]; unattended?: boolean },
): Promise<string> =>
  (await createToken(db, { workspace, member, client: 'Helper', ...given })).token

export async function agentAt(
  url: string,
  token: string,
  {
    asked,
    headers = {},
    era = 'auto',
  }: {
    asked?: Asked
    headers?: Record<string, string>
    era?: 'auto' | 'legacy'
  } = {},
) {
  const client = new Client(
    { name: 'tests', version: '1' },
    {
      capabilities: asked ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: era },
    },
  )
  if (asked)
    client.setRequestHandler('elicitation/create', async ({ params }) =>
      asked(params.message) ? { action: 'accept', content: { send: true } } : { action: 'decline' },
    )
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
  })
  await client.connect(transport)
  return agentOf(client)
}

export function agentOf(client: Client) {
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    /** The answer of a tool. */
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers member by member.
    async use(name: string, given: Record<string, unknown> = {}): Promise<any> {
      const { content } = await client.callTool({ name, arguments: given })
      const [first] = content as { text: string }[]
      return JSON.parse(first?.text ?? '{}')
    },
    close: () => client.close(),
  }
}
