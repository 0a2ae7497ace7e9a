import { diagnose } from './diagnosis.ts'

// Bounces and complaints that Amazon SES sends by mail, as JSON (Developer guide, "Amazon SNS notification contents").

export type Notification = {
  kind: 'bounce' | 'complaint' | 'delivery'
  code: string | null
  permanent: boolean
  recipients: string[]
  ids: string[]
}

const longest = 128 * 1024

/** What a text tells that holds such a notification; undefined for any other text. */
export function readNotification(text: string): Notification | undefined {
  const whole = text.slice(0, longest)
  if (!/"(?:notificationType|eventType)\\?"/.test(whole)) return undefined
  const [first, last] = [whole.indexOf('{'), whole.lastIndexOf('}')]
  try {
    return toldBy(JSON.parse(whole.slice(first, last + 1)))
  } catch {
    return undefined
  }
}

function toldBy(given: unknown): Notification | undefined {
  const told = record(given)
  if (typeof told['Message'] === 'string') return readNotification(told['Message'])
  const kind = String(told['notificationType'] ?? told['eventType'] ?? '').toLowerCase()
  const [bounce, complaint] = [record(told['bounce']), record(told['complaint'])]
  const mail = record(told['mail'])
  const ids = [
    record(mail['commonHeaders'])['messageId'],
    ...list(mail['headers']).flatMap((one) =>
      String(one['name']).toLowerCase() === 'message-id' ? [one['value']] : [],
    ),
  ].filter((id) => typeof id === 'string')
  if (kind === 'complaint')
    return {
      kind,
      code: null,
      permanent: true,
      recipients: of(complaint, 'complainedRecipients'),
      ids,
    }
  if (kind === 'delivery' || kind === 'deliverydelay')
    return { kind: 'delivery', code: null, permanent: false, recipients: [], ids }
  if (kind !== 'bounce') return undefined
  const [first] = list(bounce['bouncedRecipients'])
  const said = String(first?.['diagnosticCode'] ?? '')
  // A permanent bounce means, if nothing more is said, that the mailbox does not exist.
  const isPermanent = bounce['bounceType'] === 'Permanent'
  const fallback = isPermanent && said === '' ? '5.1.1' : undefined
  const stated = typeof first?.['status'] === 'string' ? first['status'] : fallback
  const { code, permanent } = diagnose(stated, [said])
  return {
    kind,
    code,
    permanent: permanent && isPermanent,
    recipients: of(bounce, 'bouncedRecipients'),
    ids,
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const list = (value: unknown) => (Array.isArray(value) ? value.slice(0, 200).map(record) : [])
const of = (told: Record<string, unknown>, name: string): string[] =>
  list(told[name]).flatMap(({ emailAddress }) =>
    typeof emailAddress === 'string' ? [emailAddress] : [],
  )
