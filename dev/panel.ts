export type Panel = {
  url: string
  uiUrl: string
  mailUrl: string | undefined
  smtpPort: string | undefined
  imapPort: string | undefined
  dataDir: string
  holder: string | undefined
  token: string | undefined
}

/** What a person needs to know once everything runs. */
export function panel(shown: Panel): string {
  const { url, uiUrl, mailUrl, dataDir, holder, token } = shown
  const lines = [
    '',
    'Postroom is up.',
    '',
    `  API       ${url}/api/v1`,
    `  Docs      ${url}/docs`,
    `  Web UI    ${uiUrl}  what runs, waits and fails (Temporal)`,
    ...(mailUrl ? [`  Mail      ${mailUrl}  every letter sent; none leaves this machine`] : []),
    ...(shown.imapPort
      ? [
          `            to answer as a client: IMAP 127.0.0.1:${shown.imapPort}, SMTP 127.0.0.1:${shown.smtpPort}, no TLS,`,
          '            user the whole address, any password',
        ]
      : []),
    `  Data      ${dataDir}  (logs in ${dataDir}/logs)`,
    '',
  ]
  if (token) {
    lines.push(
      `  Token     ${token}`,
      `            ${holder}, every scope, 90 days`,
      '',
      `  curl -H 'Authorization: Bearer ${token}' ${url}/api/v1/conversations`,
      '',
    )
  }
  return [...lines, 'Ctrl-C stops everything.', ''].join('\n')
}
