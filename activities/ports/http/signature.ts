import { Webhook } from 'standardwebhooks'

// Signatures as Standard Webhooks 1.0 has them (standardwebhooks.com): HMAC-SHA256 over id, seconds and body.

/** The headers of a signed request; several secrets sign side by side. The time is real: receivers compare it with theirs. */
export function signed(secrets: string[], id: string, body: string): Record<string, string> {
  const at = new Date()
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}
