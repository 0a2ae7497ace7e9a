import type { Client } from '../../typescript/src/index.ts'
import { CommandFailure, exits } from './failure.ts'

/** The id of a campaign that is named by its id or its name. @throws CommandFailure */
export async function findCampaign(
  client: Client,
  named: string,
  signal: AbortSignal,
): Promise<string> {
  if (/^cmp_/.test(named)) return named
  const found: { id: string; name: string }[] = []
  const names: string[] = []
  for await (const { id, name } of client.listCampaigns({}, { signal })) {
    if (name.toLowerCase() === named.toLowerCase()) found.push({ id, name })
    if (names.length < 5) names.push(name)
  }
  if (found.length === 1 && found[0]) return found[0].id
  throw new CommandFailure({
    exit: exits.refused,
    code: found.length ? 'name_ambiguous' : 'not_found',
    message: found.length
      ? `${found.length} campaigns have the name ${named}.`
      : `There is no campaign with the name or id ${named}.`,
    hint: found.length
      ? `Name one by its id: ${found.map(({ id }) => id).join(', ')}.`
      : names.length
        ? `There is, for instance: ${names.join(', ')}. \`postroom campaign list\` shows all.`
        : 'The workspace has no campaign.',
  })
}
