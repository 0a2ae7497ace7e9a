import { isLoopback } from '../../../network/loopback.ts'

// A password and a letter leave this machine over TLS alone, with a certificate that verifies, unless the operator's file says
// `tls: none` of that server. Whether the server offers TLS does not count: whoever sits on the line can take the offer out.

/** What the settings of a mail server say of TLS; rows of earlier versions may hold anything. */
export type TlsSettings = { host: string; secure: boolean; tls?: unknown }

export type Tls = {
  /** required: without it nothing is sent. never: it is not asked for. offered: as the server has it, on this machine only. */
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
      // A server on this machine offers STARTTLS with a certificate nobody signed.
      rejectUnauthorized: !local || tls !== undefined,
      ...(typeof servername === 'string' && { servername }),
      ...(typeof ca === 'string' && { ca }),
    },
  }
}
