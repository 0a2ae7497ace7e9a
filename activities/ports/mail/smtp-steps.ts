import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Refused } from '../../../rules/outgoing.ts'
import type { Envelope } from './compose.ts'

// The steps of SMTP that nodemailer does not take as we need them: those before DATA, and a login with an access token.

// nodemailer goes on to DATA as soon as the server has taken any recipient. A letter that its first recipient cannot get must
// reach nobody, so the steps before DATA are taken here, and nodemailer sends the rest.

/** What of nodemailer's connection is used here beyond its documented part; the tests hold it to that. */
type Inner = {
  _envelope: unknown
  _supportedExtensions: string[]
  _responseActions: ((answer: string) => void)[]
  _sendCommand(line: string): void
  _setEnvelope(envelope: unknown, done: (error: Error | null, info?: object) => void): void
}

export const offers = (connection: SMTPConnection, extension: string): boolean =>
  (connection as unknown as Inner)._supportedExtensions.includes(extension)

/** An answer other than a yes to a step before DATA. */
const refusal = (response: string, command: string) =>
  Object.assign(new Error('A step was refused'), {
    code: 'EENVELOPE',
    command,
    response,
    responseCode: Number(response.slice(0, 3)),
  })

/**
 * Has the next `send` of the connection name `to` first, and go on only if the server takes it. The others that it does not
 * take are added to `refused`. A transaction without `to` is ended by RSET. Answers what makes the connection forget this: call
 * it when the send is over.
 */
export function nameFirst(
  connection: SMTPConnection,
  { from, to, others }: Envelope,
  { size, utf8, refused }: { size: number; utf8: boolean; refused: Refused[] },
): () => void {
  const inner = connection as unknown as Inner
  const ask = (line: string) =>
    new Promise<string>((resolve) => {
      inner._responseActions.push(resolve)
      inner._sendCommand(line)
    })
  /** Answers undefined if there was a yes; if the connection breaks, nodemailer ends the send. */
  const refusedBy = async (line: string) => {
    const answer = await ask(line)
    return answer.startsWith('2') ? undefined : refusal(answer, line)
  }
  const parameters = [
    ...(utf8 ? ['SMTPUTF8'] : []),
    ...(utf8 && offers(connection, '8BITMIME') ? ['BODY=8BITMIME'] : []),
    ...(offers(connection, 'SIZE') ? [`SIZE=${size}`] : []),
  ].map((one) => ` ${one}`)

  async function untilData(): Promise<Error | undefined> {
    for (const { mailbox } of [{ mailbox: from }, to])
      if (!isPath(mailbox)) return Object.assign(new Error('No address'), { code: 'EENVELOPE' })
    const no = await refusedBy(`MAIL FROM:<${from}>${parameters.join('')}`)
    if (no) return no
    const noTo = await refusedBy(`RCPT TO:<${to.mailbox}>`)
    if (noTo) {
      await ask('RSET')
      return noTo
    }
    const name = async ({ given, mailbox }: (typeof others)[number]) => {
      if (!isPath(mailbox)) return refused.push({ address: given, code: '553' })
      const noOther = await refusedBy(`RCPT TO:<${mailbox}>`)
      if (noOther) refused.push({ address: given, code: codeIn(noOther.response) })
    }
    if (offers(connection, 'PIPELINING')) await Promise.all(others.map(name))
    else for (const other of others) await name(other)
    const begun = await ask('DATA')
    return /^[23]/.test(begun) ? undefined : refusal(begun, 'DATA')
  }

  inner._setEnvelope = (_, done) => {
    inner._envelope = { from, to: [to.mailbox], accepted: [to.mailbox], rejected: [] }
    untilData().then(
      (error) => (error ? done(error) : done(null, {})),
      (error) => done(error as Error),
    )
  }
  return () => void Reflect.deleteProperty(inner, '_setEnvelope')
}

/** The enhanced status code (RFC 3463) of an answer, or else its reply code. */
export const codeIn = (response: string): string => statusIn(response) ?? response.slice(0, 3)

export const statusIn = (response: string | undefined): string | undefined =>
  /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1]

// A command line has at most 512 octets (RFC 5321, 4.5.3.1.4), and nothing of an address may end it.
const isPath = (mailbox: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  mailbox !== '' && Buffer.byteLength(mailbox) <= 480 && !/[\0-\x1f\x7f<>]/.test(mailbox)

// Logging in to an SMTP server with an access token: by XOAUTH2, which Google and Microsoft have, or by OAUTHBEARER (RFC 7628),
// which came after it. The library itself knows XOAUTH2 alone, prefers a password to it, and asks for another token on its own
// when one is refused.

/** The name of the handler; no server offers a mechanism of that name. */
export const byToken = 'TOKEN'

/** Tells the library how to log in `byToken`. */
export function tokenLogin(
  { host, port }: { host: string; port: number },
  { user, accessToken }: { user: string; accessToken: string },
): SMTPConnection.CustomAuthenticationHandlers {
  const bearer = `auth=Bearer ${accessToken}`
  return {
    async [byToken]({ authMethods, sendCommand }) {
      const isOlder = authMethods.includes('XOAUTH2')
      const name = isOlder ? 'XOAUTH2' : 'OAUTHBEARER'
      const parts = isOlder
        ? [`user=${user}`, bearer]
        : [
            `n,a=${user.replaceAll('=', '=3D').replaceAll(',', '=2C')},`,
            `host=${host}`,
            `port=${port}`,
            bearer,
          ]
      const said = Buffer.from([...parts, '', ''].join('\x01')).toString('base64')
      let answer = await sendCommand(`AUTH ${name} ${said}`)
      // The server says why it refuses, and waits for an answer of no meaning before it does.
      if (codeOf(answer) === '334') answer = await sendCommand(isOlder ? '' : 'AQ==')
      if (!codeOf(answer).startsWith('2')) throw new Error('The token is refused.')
      return true
    },
  }
}

/** The library reads no code of an answer that has several lines. */
const codeOf = ({ response }: { response: string }) => response.slice(0, 3)
