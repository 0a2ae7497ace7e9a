import type { Config, Stack } from '../../process/config.ts'
import { assertFree, firstFree, freePort, loopback } from './ports.ts'

// The ports on which the parts of `npm start` listen: those of the variables or, for mail, otherwise those of the last start.

export type Ports = Record<'api' | 'temporal' | 'ui' | 'smtp' | 'http' | 'imap', number>

/** The ports that the next start reuses, since clients and bookmarks may know them. */
export function keptPorts(last: Stack): Stack {
  const names = ['POSTGRES_PORT', 'MAIL_SMTP_PORT', 'MAIL_HTTP_PORT', 'MAIL_IMAP_PORT']
  return Object.fromEntries(Object.entries(last).filter(([name]) => names.includes(name)))
}

/** @throws Error naming the variable of a port on which another program listens. */
export async function choosePorts(config: Config, last: Stack): Promise<Ports> {
  const { temporal, mail, host } = config
  const ports: Ports = {
    api: config.port || (await freePort()),
    temporal: temporal.port || (await freePort()),
    ui: temporal.uiPort || (await freePort()),
    smtp: await mailPort(mail.smtp, last['MAIL_SMTP_PORT'], 3025),
    http: await mailPort(mail.http, last['MAIL_HTTP_PORT'], 8025),
    imap: await mailPort(mail.imap, last['MAIL_IMAP_PORT'], 3143),
  }
  await assertFree(ports.api, host, 'PORT', 'the API')
  if (!temporal.external) {
    await assertFree(ports.temporal, loopback, 'TEMPORAL_PORT', 'Temporal')
    await assertFree(ports.ui, loopback, 'TEMPORAL_UI_PORT', "Temporal's Web UI")
  }
  await assertFree(ports.smtp, loopback, 'MAIL_SMTP_PORT', 'the mail sink')
  await assertFree(ports.http, loopback, 'MAIL_HTTP_PORT', 'the mail page')
  await assertFree(ports.imap, loopback, 'MAIL_IMAP_PORT', 'mailboxes')
  return ports
}

// Nobody needs to know these ports: unless a variable sets one, any free port serves where the usual one is taken.
async function mailPort(wished: number | undefined, last: string | undefined, usual: number) {
  if (wished !== undefined) return wished || freePort()
  return firstFree(Number(last) || undefined, usual)
}
