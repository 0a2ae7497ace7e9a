import { readFileSync } from 'node:fs'
import type { Config } from '../../process/config.ts'

/** How Client and Worker reach Temporal: address, and TLS or an API key where the cluster asks for them. */
export function temporalConnection({ temporal }: Config) {
  const certificate =
    temporal.tlsCert && temporal.tlsKey
      ? {
          clientCertPair: {
            crt: readFileSync(temporal.tlsCert),
            key: readFileSync(temporal.tlsKey),
          },
        }
      : {}
  const authority = {
    ...(temporal.tlsCa && { serverRootCACertificate: readFileSync(temporal.tlsCa) }),
    ...(temporal.tlsServerName && { serverNameOverride: temporal.tlsServerName }),
  }
  const tls = { ...certificate, ...authority }
  return {
    address: temporal.address,
    ...(Object.keys(tls).length > 0 ? { tls } : temporal.apiKey ? { tls: true as const } : {}),
    ...(temporal.apiKey && { apiKey: temporal.apiKey }),
  }
}
