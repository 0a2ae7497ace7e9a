import { Webhook } from 'standardwebhooks'

// Signatures of Standard Webhooks 1.0 (standardwebhooks.com): HMAC-SHA256 over id, seconds and body.

/**
 * The headers of a signed request. Several secrets sign side by side. The time is the real time, because receivers compare it
 * with their own.
 */
export function signed(secrets: string[], id: string, body: string): Record<string, string> {
  const at = new Date()
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}
