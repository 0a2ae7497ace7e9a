import { prefix } from '../../api/http/prefix.ts'
import type { Leaving } from '../operator/outside-accounts.ts'

type Summary = {
  url: string
  uiUrl: string
  mailUrl: string | undefined
  smtpPort: string | undefined
  imapPort: string | undefined
  /** The accounts whose letters do not end at the mail page. */
  leaving: Leaving[]
  dataDir: string
  holder: string | undefined
  token: string | undefined
  sandboxToken: string | undefined
}

/** What a person needs to know once everything runs. */
export function summary(shown: Summary): string {
  const { url, uiUrl, mailUrl, dataDir, holder, token } = shown
  const lines = [
    '',
    'Postroom is up.',
    '',
    `  API       ${url}${prefix}`,
    `  Docs      ${url}/docs`,
    `  Web UI    ${uiUrl}  what runs, waits and fails (Temporal)`,
    ...(mailUrl ? [`  Mail      ${mailUrl}  ${promise(shown.leaving)}`] : []),
    ...(shown.imapPort
      ? [
          `            to answer as a client: IMAP 127.0.0.1:${shown.imapPort}, SMTP 127.0.0.1:${shown.smtpPort}, no TLS,`,
          '            user the whole address, any password',
        ]
      : []),
    ...warning(shown.leaving),
    `  Data      ${dataDir}  (logs in ${dataDir}/logs)`,
    '',
  ]
  if (token) {
    lines.push(
      `  Token     ${token}`,
      `            ${holder}, every scope, 90 days`,
      '',
      `  curl -H 'Authorization: Bearer ${token}' ${url}${prefix}/conversations`,
      '',
    )
  }
  if (shown.sandboxToken)
    lines.push(
      `  Sandbox   ${shown.sandboxToken}`,
      '            of a second workspace, whose letters go nowhere: write to',
      '            reply-interested@sandbox.postroom.example, and see docs/sandbox.md',
      '',
    )
  return [...lines, 'Ctrl-C stops everything.', ''].join('\n')
}

const promise = (leaving: Leaving[]) =>
  leaving.length === 0
    ? 'every letter sent; none leaves this machine'
    : 'the letters that stay on this machine'

const mostShown = 12

/** The accounts that send to real people: nobody should learn that from their clients. */
function warning(leaving: Leaving[]): string[] {
  if (leaving.length === 0) return []
  const more = leaving.length - mostShown
  return [
    '',
    '  SENDS     These accounts do not send to the mail page. What they send goes out through:',
    ...leaving
      .slice(0, mostShown)
      .map(
        ({ account, workspace, connection, to }) =>
          `            ${account} (${connection} of ${workspace}) -> ${to}`,
      ),
    ...(more > 0 ? [`            and ${more} more`] : []),
    '',
  ]
}
