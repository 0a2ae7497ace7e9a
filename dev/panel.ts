export type Panel = {
  url: string
  uiUrl: string
  mailUrl: string | undefined
  dataDir: string
  holder: string | undefined
  token: string | undefined
}

/** What a person needs to know once everything runs. */
export function panel({ url, uiUrl, mailUrl, dataDir, holder, token }: Panel): string {
  const lines = [
    '',
    'Postroom is up.',
    '',
    `  API       ${url}/api/v1`,
    `  Docs      ${url}/docs`,
    `  Web UI    ${uiUrl}  what runs, waits and fails (Temporal)`,
    ...(mailUrl ? [`  Mail      ${mailUrl}  every letter sent; none leaves this machine`] : []),
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
