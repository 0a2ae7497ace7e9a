import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { CommandFailure, exits, usage } from '../failure.ts'
import { type Add, helped } from '../helped.ts'
import { fileName } from '../kept.ts'
import { addressOf, clientOf, forgetLogin, keepLogin } from '../session.ts'
import { facts } from '../terminal.ts'

// The token comes from a prompt without echo or from stdin, never from an argument: arguments are seen by every user of a machine.

export const addLogin: Add = (program, run) => {
  helped(
    program
      .command('login')
      .argument('[url]', 'the address of the API; by default that of `npm start`')
      .summary('log in with a token')
      .description(
        'Asks for a token, without showing it, or reads it from stdin; tries it; and keeps it in a file that you alone can read. It is sent to this address only.',
      ),
    'postroom login https://postroom.firm.example/api/v1',
    'postroom login --profile reader < token.txt',
  ).action((url: string | undefined, _: unknown, command: Command) =>
    run(command, async ({ terminal, options, signal }) => {
      const address = addressOf(url)
      const token = (
        process.stdin.isTTY ? await asked(`Token for ${address}: `, signal) : await piped()
      ).trim()
      if (!token)
        throw usage(
          'There was no token.',
          'Paste it at the prompt, or pipe it: `… | postroom login`.',
        )
      if (!/^[\x21-\x7e]{1,512}$/.test(token))
        throw usage(
          'That is no token: it has spaces or other characters.',
          'A token begins with prm_ and is one word.',
        )
      const client = clientOf({ url: address, token }, fileName(address), options.retry, terminal)
      const {
        workspace,
        member,
        scopes,
        client: application,
      } = await client.getIdentity({ signal })
      const file = await keepLogin(options.profile, { url: address, token, workspace })
      if (terminal.json)
        return terminal.object({
          ...{ profile: options.profile, url: address, workspace, member, scopes },
          ...{ application: application.name, file },
        })
      terminal.line(`You are logged in to ${workspace} as ${member}.`)
      terminal.line(`It is kept in ${file}. Next: postroom whoami`)
    }),
  )

  helped(
    program
      .command('logout')
      .summary('forget the token')
      .description(
        'Forgets the token of a login. The token goes on to be valid: the operator revokes it.',
      ),
    'postroom logout',
  ).action((_: unknown, command: Command) =>
    run(command, async ({ terminal, options }) => {
      const was = await forgetLogin(options.profile)
      if (terminal.json) return terminal.object({ profile: options.profile, forgotten: was })
      terminal.line(was ? 'The token is forgotten.' : 'You were not logged in.')
    }),
  )

  helped(
    program
      .command('whoami')
      .summary('show whose token this is, and what it may do')
      .description('Shows the workspace, the member and the scopes of the token.'),
    'postroom whoami',
  ).action((_: unknown, command: Command) =>
    run(command, async (session) => {
      const { terminal, signal } = session
      const { url } = await session.login()
      const identity = await (await session.client()).getIdentity({ signal })
      const { workspace, member, scopes, client } = identity
      const { name, zone } = await session.place()
      if (terminal.json)
        return terminal.object({ url, workspace, name, timezone: zone, member, scopes, client })
      const rows: [string, string][] = [
        ['address', url],
        ['workspace', name ? `${name} (${workspace})` : workspace],
        ['member', member],
        ['application', client.name],
        ['may', scopes.join(', ') || 'nothing'],
      ]
      for (const line of facts(rows, terminal)) terminal.line(line)
    }),
  )
}

const longestInput = 4096

async function piped(): Promise<string> {
  const given = await text(process.stdin)
  if (given.length > longestInput) throw usage('stdin has more than a token.')
  return given
}

/** Asks on the terminal, without showing what is typed. */
function asked(question: string, signal: AbortSignal): Promise<string> {
  const { stdin, stderr } = process
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = (settle: () => void) => {
      stdin.setRawMode(false)
      stdin.pause()
      stdin.off('data', take)
      stderr.write('\n')
      settle()
    }
    const interrupted = new CommandFailure({
      exit: exits.interrupted,
      code: 'interrupted',
      message: 'Nothing was changed.',
    })
    const take = (data: Buffer) => {
      for (const one of data.toString('utf8')) {
        if (one === '\r' || one === '\n') return end(() => resolve(typed))
        if (one === '\u0003' || one === '\u0004') return end(() => reject(interrupted))
        if (one === '\u007f' || one === '\b') typed = typed.slice(0, -1)
        else if (one >= ' ') typed += one
      }
    }
    stderr.write(question)
    stdin.setRawMode(true)
    stdin.on('data', take)
    signal.addEventListener('abort', () => end(() => reject(interrupted)), { once: true })
    stdin.resume()
  })
}
