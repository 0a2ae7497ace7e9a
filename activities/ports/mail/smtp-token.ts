import type SMTPConnection from 'nodemailer/lib/smtp-connection'

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
