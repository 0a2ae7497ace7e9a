import { deepEqual } from 'node:assert/strict'
import { cardsOf } from '../../support/people-cards.ts'

// What the cells of a column must say for its people to be left alone, in the words of many programs and languages.

type Column = [heading: string, stopping: string[], others: string[]]

const reasonsIn = async ([heading, stopping, others]: Column) => {
  const cells = [heading, ...stopping, ...others].map((cell) => `"${cell}"`)
  const rows = cells.map((cell, i) =>
    i === 0 ? `Name,Email,${cell}` : `Person ${i},p${i}@x.test,${cell}`,
  )
  const cards = await cardsOf(Buffer.from(rows.join('\n')))
  if (typeof cards === 'string') throw new Error(cards)
  return cards.map(({ stop }) => stop)
}

describe('columns that ask whether somebody may be written to', () => {
  const wishes: Column[] = [
    [
      'Opt-in',
      ['no', 'No', 'N', 'FALSE', '0', 'No (2025)', 'opted out'],
      ['yes', '', 'Y', '1', '2025-01-01'],
    ],
    [
      'Email consent',
      ['FALSE', 'Withdrawn on 2025-01-01', 'refused', 'Nein, danke'],
      ['TRUE', 'unknown'],
    ],
    ['Do not contact', ['x', 'yes', '1', 'TRUE', '2025-01-01'], ['', 'no', '0', 'FALSE', '-']],
    [
      'subscription status',
      ['Non-subscribed', 'Unsubscribed', 'no', 'never subscribed'],
      ['Subscribed', 'active', ''],
    ],
    ['Opt-in status', ['no', 'Opted out', 'Declined by mail: opted out'], ['Opted in', 'pending']],
    ['Email marketing status', ['unsubscribed', 'not subscribed'], ['subscribed']],
    ['Newsletter', ['nein', 'abgemeldet', 'No', '0'], ['ja', 'x', '1']],
    ['Mailing', ['nein', 'N'], ['ja', '']],
    ['OK to email?', ['N', 'no'], ['Y']],
    ['May we email you', ['No'], ['Yes']],
    ['Marketing opt-out', ['Y', 'x', 'TRUE'], ['N', '']],
    ['DSGVO-Einwilligung', ['nein', 'widerrufen', 'nicht erteilt'], ['ja', 'erteilt']],
    ['RGPD', ['non', 'refusé'], ['oui']],
    ['Werbung erlaubt', ['nein', '0'], ['ja']],
    ['Keine Werbung', ['ja', 'x', 'WAHR'], ['nein', 'FALSCH', '']],
    ['Acepta comunicaciones', ['no', 'No'], ['sí', 'SÍ']],
    ['Consenso marketing', ['no', 'NO'], ['sì', 'si']],
    ['Aceita receber e-mails', ['não'], ['sim']],
    ['Mag gemaild worden', ['nee'], ['ja']],
    ['Zgoda na marketing', ['nie'], ['tak']],
    ['Markkinointilupa', ['ei'], ['kyllä']],
    ['Hozzájárulás', ['nem'], ['igen']],
    ['Согласие на рассылку', ['нет'], ['да']],
    ['同意', ['否', '不同意'], ['是']],
    ['配信停止', ['1', 'はい', '○'], ['0', '']],
    ['수신동의', ['아니오', 'N'], ['예', 'Y']],
    ['Klaviyo Email Marketing Consent', ['UNSUBSCRIBED', 'NEVER_SUBSCRIBED'], ['SUBSCRIBED']],
    ['Accepts Email Marketing', ['no', 'FALSE'], ['yes']],
    ['IsExcludedFromCampaigns', ['true', '1'], ['false', '0']],
    ['Email permission status', ['Unsubscribed', 'No'], ['Express', 'Implicit']],
    ['Email status - other', ['Unsubscribed'], ['Implicit']],
    ['Do not allow Bulk Emails', ['Do Not Allow'], ['Allow']],
    [
      'Tags',
      ['VIP, unsubscribed', 'do-not-mail'],
      ['VIP', 'no email address', 'data cleaned', 'No contact yet'],
    ],
    ['Estado', ['Baja', 'Dado de baja'], ['Baja California', 'Activo']],
    [
      'Lead Status',
      ['Do not contact', 'Unsubscribed'],
      ['Not contacted', 'Nicht kontaktiert', 'No contact made', 'Declined', 'rejected', 'Open'],
    ],
    ['State', ['Unsubscribed'], ['NO', 'CA', 'Baja California Sur']],
    ['Mailing Country', [], ['NO', 'DE']],
    ['Wants demo', [], ['no', 'yes']],
    ['Cookie consent', [], ['no', 'yes']],
    ['SMS opt-out', [], ['yes', 'no']],
    ['Opted out of calls', [], ['yes']],
    ['Unsubscribe ID', [], ['abc123', 'def']],
    ['Unsubscribe link', [], ['https://x.example/u/1']],
    ['Status', ['unsubscribed', 'Abgemeldet', 'gelöscht'], ['aktiv', 'Kunde', 'no']],
    ['Contact preference', ['No email', 'Do not contact'], ['Phone', 'Email']],
    ['Désinscrit le', ['01/02/2025'], ['', '0000-00-00']],
    ['Opt-in/Opt-out', ['opt-out', 'Opted out'], ['opt-in', 'Opted in', 'In']],
    ['Suppress', ['Y'], ['N']],
    ['No mail', ['x'], ['']],
    ['Unsubscribed? (Y/N)', ['Y'], ['N']],
    ['Leiratkozott', ['igen'], ['nem']],
  ]
  for (const column of wishes)
    it(`suppress those who say no, and nobody else: ${column[0]}`, async () => {
      const [, stopping, others] = column
      const expected = [...stopping.map(() => 'unsubscribe'), ...others.map(() => undefined)]
      deepEqual(await reasonsIn(column), expected)
    })

  const bounces: Column[] = [
    [
      'Status',
      ['cleaned', 'Cleaned', 'Bounced', 'Hard bounce', 'Unzustellbar'],
      ['Active', 'soft bounce'],
    ],
    ['Bounce', ['yes', '550', 'hard'], ['no', '', 'soft']],
    ['Email validity', [], ['valid']],
    ['Email Verification Status', ['invalid', 'Bounced'], ['valid', 'accept_all']],
    ['NPAI', ['oui', 'x'], ['non']],
  ]
  for (const column of bounces)
    it(`suppress addresses from which mail came back, and no others: ${column[0]}`, async () => {
      const [, stopping, others] = column
      const expected = [...stopping.map(() => 'bounce'), ...others.map(() => undefined)]
      deepEqual(await reasonsIn(column), expected)
    })
})
