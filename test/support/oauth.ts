import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from './hooks.ts'

// An OpenID provider as careful ones are: a code works once and with its PKCE verifier, each use of a refresh token replaces it,
// and using a replaced one revokes the consent unless it was replaced a moment ago.

export type TestProvider = Awaited<ReturnType<typeof testProvider>>

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

type Grant = { account: string; revoked: boolean; refreshToken?: string; former?: string }
type Code = { grant: Grant; challenge: string; nonce: string | null; redirectUri: string }

export async function testProvider({
  clientId = 'postroom',
  clientSecret = 'a client secret',
}: {
  clientId?: string
  clientSecret?: string
} = {}) {
  const codes = new Map<string, Code>()
  const grants: Grant[] = []
  const tokens = new Map<string, { grant: Grant; expiresAt: number }>()
  const settings = {
    /** Who is logged in at the provider. */
    account: 'ana@firm.example',
    claims: {} as Record<string, unknown>,
    lifeSeconds: 3600,
    /** How long a refresh token that was replaced is still accepted. */
    graceMs: 30_000,
    delayMs: 0,
    /** The path, or the whole address, at which it says that it takes back consents. */
    revokesAt: undefined as string | undefined,
    /** Answers the token endpoint instead. */
    fails: undefined as { status: number; error?: string; headers?: object } | undefined,
    /** Whether it gives refresh tokens. */
    refreshes: true,
    /** How far its clock is ahead. */
    aheadSeconds: 0,
    /** What it sends back in place of our nonce. */
    nonce: undefined as string | undefined,
  }
  const counts = { refreshes: 0, codes: 0, clients: 0, revocations: 0 }
  const asked: URLSearchParams[] = []
  const secrets = new Set([clientSecret])
  const random = () => {
    const secret = randomBytes(24).toString('base64url')
    secrets.add(secret)
    return secret
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', issuer)
    const json = (status: number, body: unknown, more: object = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...more })
        .end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration')
      return json(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        ...(settings.revokesAt !== undefined && {
          revocation_endpoint: new URL(settings.revokesAt, issuer).href,
        }),
        response_types_supported: ['code'],
        scopes_supported: ['openid', 'email', 'offline_access', 'mail'],
      })
    if (url.pathname === '/authorize') return authorize(url.searchParams, response)
    if (url.pathname === '/token') {
      let text = ''
      for await (const chunk of request) text += chunk
      if (settings.delayMs > 0) await sleep(settings.delayMs)
      const form = new URLSearchParams(text)
      const verifier = form.get('code_verifier')
      if (verifier) secrets.add(verifier)
      const { status, body } = issue(form)
      return json(status, body, status < 400 ? {} : settings.fails?.headers)
    }
    if (url.pathname === '/revoke') {
      let text = ''
      for await (const chunk of request) text += chunk
      const form = new URLSearchParams(text)
      if (form.get('client_secret') !== clientSecret) return json(401, { error: 'invalid_client' })
      if (settings.fails) return json(settings.fails.status, {})
      for (const grant of grants)
        if (grant.refreshToken === form.get('token')) {
          grant.revoked = true
          counts.revocations++
        }
      return json(200, {})
    }
    if (url.pathname === '/userinfo') {
      const bearer = (request.headers.authorization ?? '').replace(/^Bearer /, '')
      const grant = tokens.get(bearer)?.grant
      return grant ? json(200, { sub: grant.account, ...claimsOf(grant) }) : json(401, {})
    }
    response.writeHead(404).end()
  }

  const claimsOf = ({ account }: Grant) => ({
    email: account,
    email_verified: true,
    ...settings.claims,
  })

  function authorize(query: URLSearchParams, response: ServerResponse) {
    asked.push(query)
    const back = new URL(query.get('redirect_uri') ?? '')
    const state = query.get('state') ?? ''
    const accepted = new URL(back)
    const code = random()
    const grant = { account: settings.account, revoked: false }
    grants.push(grant)
    codes.set(code, {
      grant,
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce'),
      redirectUri: back.href,
    })
    accepted.search = new URLSearchParams({ code, state, iss: issuer }).toString()
    const denied = new URL(back)
    denied.search = new URLSearchParams({ error: 'access_denied', state, iss: issuer }).toString()
    response.writeHead(200, { 'content-type': 'text/html' }).end(
      `<h1>Log in as ${settings.account}?</h1>
      <a id="yes" href="${accepted.href.replaceAll('&', '&amp;')}">Agree</a>
      <a id="no" href="${denied.href.replaceAll('&', '&amp;')}">Cancel</a>`,
    )
  }

  function issue(form: URLSearchParams): { status: number; body: unknown } {
    const refused = (error: string, status = 400) => ({ status, body: { error } })
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret)
      return refused('invalid_client', 401)
    const { fails } = settings
    if (fails) return { status: fails.status, body: { error: fails.error ?? 'server_error' } }
    const kind = form.get('grant_type')
    if (kind === 'client_credentials') {
      counts.clients++
      return granted({ account: settings.account, revoked: false }, false)
    }
    if (kind === 'authorization_code') {
      counts.codes++
      const code = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (code?.challenge !== challenge || code.redirectUri !== form.get('redirect_uri'))
        return refused('invalid_grant')
      return granted(code.grant, true, code.nonce)
    }
    counts.refreshes++
    const given = form.get('refresh_token') ?? ''
    const grant = grants.find(({ refreshToken, former }) => [refreshToken, former].includes(given))
    if (!grant || grant.revoked) return refused('invalid_grant')
    if (grant.refreshToken !== given && settings.graceMs === 0) {
      grant.revoked = true
      return refused('invalid_grant')
    }
    return granted(grant, true)
  }

  function granted(grant: Grant, refreshes: boolean, nonce?: string | null) {
    const token = random()
    tokens.set(token, { grant, expiresAt: Date.now() + settings.lifeSeconds * 1000 })
    if (refreshes) {
      if (grant.refreshToken) grant.former = grant.refreshToken
      grant.refreshToken = random()
    }
    return {
      status: 200,
      body: {
        access_token: token,
        token_type: 'Bearer',
        expires_in: settings.lifeSeconds,
        ...(refreshes && settings.refreshes && { refresh_token: grant.refreshToken }),
        ...(nonce && { id_token: idToken(grant, nonce) }),
      },
    }
  }

  function idToken(grant: Grant, nonce: string) {
    const at = Math.floor(Date.now() / 1000) + settings.aheadSeconds
    const head = base64({ alg: 'RS256', typ: 'JWT' })
    const dates = { iat: at, nbf: at, exp: at + 600 }
    const body = base64({
      ...{
        iss: issuer,
        aud: clientId,
        sub: grant.account,
        nonce: settings.nonce ?? nonce,
        ...dates,
      },
      ...claimsOf(grant),
    })
    const signature = sign('sha256', Buffer.from(`${head}.${body}`), privateKey)
    return `${head}.${body}.${signature.toString('base64url')}`
  }

  return {
    issuer,
    clientId,
    clientSecret,
    settings,
    counts,
    /** All that nobody else may see: its secret, codes, verifiers and tokens. */
    secrets,
    /** The questions that came to the authorization endpoint. */
    asked,
    /** Whether a mail server accepts a token of this account. */
    accepts: (account: string, token: string) => {
      const known = tokens.get(token)
      return (
        known !== undefined &&
        !known.grant.revoked &&
        known.grant.account === account &&
        known.expiresAt > Date.now()
      )
    },
    /** Every access token that was given out stops to work; the consents stay. */
    expireTokens: () => tokens.clear(),
    /** As its owner does in the settings of the account. */
    revoke(account: string) {
      for (const grant of grants) if (grant.account === account) grant.revoked = true
    },
    /** A consent that was given earlier, with the refresh token of it. */
    consented(account: string) {
      const refreshToken = random()
      grants.push({ account, revoked: false, refreshToken })
      return refreshToken
    },
  }
}
