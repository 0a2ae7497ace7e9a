import { join } from 'node:path'
import { type Client, createClient } from '../../typescript/src/index.ts'
import { fileKeys } from '../../typescript/src/node.ts'
import { CommandFailure, exits, usage } from './failure.ts'
import { fileName, home, readKept, writeKept } from './kept.ts'
import { openTerminal, type Terminal } from './terminal.ts'

// Whose command it is: the login that is kept under a name, or that of the environment. A token is kept together with its address,
// so that it goes nowhere else.

export type Login = { url: string; token: string; workspace?: string | undefined }
type Logins = { profiles: Record<string, Login> }

export type Options = { json?: boolean; profile: string; retry: number }

/** What each command is given. */
export type Session = {
  terminal: Terminal
  options: Options
  /** Ends with Ctrl-C. */
  signal: AbortSignal
  login(): Promise<Login>
  client(): Promise<Client>
  /** The time zone and the name of the workspace; those of this machine where the token may not read them. */
  place(): Promise<{ zone: string | undefined; name: string | undefined }>
}

const defaultUrl = 'http://127.0.0.1:8080/api/v1'
const path = () => join(home(), 'logins.json')

/** The address of the API, which follows that of the service. @throws CommandFailure */
export function addressOf(given: string = defaultUrl): string {
  if (!URL.canParse(given) || !/^https?:/.test(given))
    throw usage(
      `${given} is not an address.`,
      `It looks like ${defaultUrl}, as \`npm start\` and your operator give it.`,
    )
  const url = new URL(given)
  if (url.username || url.password || url.search || url.hash)
    throw usage('The address may hold neither a user nor a query: the token is asked for.')
  const place = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${place || '/api/v1'}`
}

export async function keepLogin(name: string, login: Login): Promise<string> {
  const kept = (await readKept<Logins>(path())) ?? { profiles: {} }
  await writeKept(path(), { profiles: { ...kept.profiles, [name]: login } })
  return path()
}

/** Whether there was one. */
export async function forgetLogin(name: string): Promise<boolean> {
  const kept = await readKept<Logins>(path())
  if (!kept || !Object.hasOwn(kept.profiles, name)) return false
  const { [name]: _, ...profiles } = kept.profiles
  await writeKept(path(), { profiles })
  return true
}

async function loginOf(profile: string, env = process.env): Promise<Login> {
  const { POSTROOM_URL: url, POSTROOM_TOKEN: token } = env
  if (url && token) return { url: addressOf(url), token }
  if (url || token)
    throw new CommandFailure({
      exit: exits.login,
      code: 'no_login',
      message: `The environment has ${url ? 'POSTROOM_URL' : 'POSTROOM_TOKEN'} alone.`,
      hint: 'A token goes to its own address only: set both POSTROOM_URL and POSTROOM_TOKEN, or neither.',
    })
  const kept = (await readKept<Logins>(path()))?.profiles ?? {}
  const login = Object.hasOwn(kept, profile) ? kept[profile] : undefined
  if (login) return login
  const others = Object.keys(kept)
  throw new CommandFailure({
    exit: exits.login,
    code: 'no_login',
    message:
      profile === 'default'
        ? 'You are not logged in.'
        : `There is no login with the name ${profile}.`,
    hint:
      profile === 'default' && others.length === 0
        ? 'Run `postroom login`, and give it the token that `npm start` or your operator has shown.'
        : `Run \`postroom login --profile ${profile}\`${others.length ? `, or use --profile ${others.join(' or ')}` : ''}.`,
  })
}

/** A client of the login; it says so when the service does not answer, and when it is back. */
export function clientOf(login: Login, keys: string, retry: number, terminal: Terminal): Client {
  let away = false
  return createClient({
    url: login.url,
    token: login.token,
    keys: fileKeys(join(home(), 'keys', keys)),
    retryForMs: retry * 1000,
    async fetch(input, init) {
      try {
        const response = await fetch(input, init)
        if (away) terminal.say('The service is back.')
        away = false
        return response
      } catch (error) {
        if (!away && !init?.signal?.aborted)
          terminal.say(`No answer from ${new URL(login.url).origin} yet; trying again.`)
        away = true
        throw error
      }
    },
  })
}

export function openSession(options: Options, signal: AbortSignal): Session {
  const terminal = openTerminal(options.json === true)
  const once = <T>(make: () => Promise<T>) => {
    let made: Promise<T> | undefined
    return () => {
      made ??= make()
      return made
    }
  }
  const login = once(() => loginOf(options.profile))
  // Keys are of a workspace, so that the same name in two workspaces is two calls, although both are kept in one place.
  const client = once(async () => {
    const known = await login()
    return clientOf(known, fileName(known.url), options.retry, terminal)
  })
  return {
    terminal,
    options,
    signal,
    login,
    client,
    place: once(async () => {
      try {
        const { timezone, name } = await (await client()).getWorkspace({ signal })
        return { zone: timezone, name }
      } catch {
        signal.throwIfAborted()
        return { zone: undefined, name: undefined }
      }
    }),
  }
}
