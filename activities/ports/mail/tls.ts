import { isLoopback } from '../../../process/network/loopback.ts'

// Passwords and letters leave this machine only over TLS, with a certificate that verifies, unless the operator's file says
// `tls: none` for that server. Whether the server offers TLS does not count: an attacker on the connection can remove the
// offer.

/** What the settings of a mail server say about TLS; rows of earlier versions may hold anything. */
export type TlsSettings = { host: string; secure: boolean; tls?: unknown }

export type Tls = {
  /**
   * required: without TLS, nothing is sent. never: TLS is not used. offered: TLS is used if the server has it; on this machine
   * only.
   */
  mode: 'required' | 'offered' | 'never'
  options: { rejectUnauthorized: boolean; servername?: string; ca?: string }
}

export function tlsTo({ host, secure, tls }: TlsSettings): Tls {
  if (tls === 'none' && !secure) return { mode: 'never', options: { rejectUnauthorized: true } }
  const local = isLoopback(host)
  const { servername, ca } = (typeof tls === 'object' ? tls : {}) as Record<string, unknown>
  return {
    mode: local && tls === undefined ? 'offered' : 'required',
    options: {
      // A server on this machine may offer STARTTLS with a self-signed certificate.
      rejectUnauthorized: !local || tls !== undefined,
      ...(typeof servername === 'string' && { servername }),
      ...(typeof ca === 'string' && { ca }),
    },
  }
}
