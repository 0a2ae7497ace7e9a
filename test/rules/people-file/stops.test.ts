import { deepEqual, equal } from 'node:assert/strict'
import { numeralOf } from '../../../rules/people-file/numerals.ts'
import { readImport } from '../../../rules/people-file/read.ts'
import type { Batch } from '../../../rules/people-file/rows.ts'
import { readStop, stopOfHeading } from '../../../rules/people-file/stops.ts'

describe('columns that say who must not be written to', () => {
  const headings: [string, string[]][] = [
    [
      'unsubscribed',
      [
        ...['Unsubscribed from all email', 'Opted out of email: Marketing', 'Opted Out', 'OptOut'],
        ...['Email Opt Out', 'HasOptedOutOfEmail', 'HASOPTEDOUTOFEMAIL', 'Do Not Email', 'DND'],
        ...['Do not contact', 'donotbulkemail', 'Do not allow Bulk Emails', 'UNSUB_TIME', 'Unsub'],
        ...['UNSUB_REASON', 'unsubscribed_at', 'EMAIL_BLACKLISTED', 'Blocklisted (Email)'],
        ...['Suppressed', 'Abgemeldet', 'Abgemeldet am', 'Newsletter abbestellt', 'Werbesperre'],
        ...['Keine Werbung', 'Nicht kontaktieren', 'Werbewiderspruch', 'Désabonné', 'Désinscrit'],
        ...['Ne pas contacter', 'Dado de baja', 'No contactar', 'Lista negra', 'Disiscritto'],
        ...['Non contattare', 'Descadastrado', 'Não contatar', 'Uitgeschreven', 'Niet mailen'],
        ...['Wypisany', 'Nie kontaktować', 'Avregistrerad', 'Afmeldt', 'Odhlášen', 'Отписан'],
        ...[
          'Kein Mailing',
          'E-Mail-Werbung nicht erlaubt',
          'Exclude from mailings',
          'No Bulk Email',
        ],
        ...[
          'No desea publicidad',
          'Ne souhaite plus recevoir',
          'Ønsker ikke nyhedsbrev',
          'Blocked',
        ],
        ...['Отказ от рассылки', 'Brak zgody', 'Do_Not_Contact__c', 'Vill ej ha utskick'],
        ...['Не беспокоить', 'Відписаний', '已退订', '配信停止', 'deactivated', 'Robinsonliste'],
      ],
    ],
    [
      'bounced',
      [
        ...[
          'Bounced',
          'Email Bounced',
          'IsEmailBounced',
          'Hard bounce',
          'Email hard bounce reason',
        ],
        ...[
          'CLEAN_TIME',
          'Cleaned',
          'CLEAN_CAMPAIGN_TITLE',
          'Unzustellbar',
          'Rebotado',
          'Rimbalzato',
        ],
      ],
    ],
    ['complained', ['Spam complaint', 'Marked as spam', 'Spam reports', 'Reported as spam']],
    [
      'consent',
      [
        ...['Consent', 'GDPR consent', 'OPT_IN', 'DOUBLE_OPT-IN', 'Accepts Email Marketing'],
        ...['Newsletter', 'Einwilligung', 'Werbeeinwilligung', 'Consentement', 'Consentimiento'],
        ...[
          'Allow Marketing',
          'Can receive email',
          'Acepta recibir correos',
          'Receives newsletter',
        ],
        ...['Toestemming', 'Zgoda marketingowa', 'Samtycke', 'Согласие', 'Subscribed'],
      ],
    ],
    [
      'mailStatus',
      [
        'Subscription',
        'Email list status',
        'Opt_In_Status',
        'Email Status',
        'Person - Marketing status',
        'Subscription Status',
      ],
    ],
    [
      'none',
      [
        ...['Unsubscribe link', 'Unsubscribe URL', 'SMS opt out', 'Fax Opt Out', 'Do Not Call'],
        ...['OPTIN_TIME', 'OPTIN_IP', 'Soft bounces', 'Bounce rate', 'Company', 'Email', 'Notes'],
        ...['Contact owner', 'State', 'Lead Source', 'Consent text', 'Status', 'Tags'],
      ],
    ],
  ]
  for (const [field, some] of headings)
    it(`are told by their headings: ${field}`, () => {
      deepEqual(
        some.filter((heading) => (stopOfHeading(heading) ?? 'none') !== field),
        [],
      )
    })

  const cells: [Parameters<typeof readStop>[0], string | undefined, unknown[]][] = [
    [
      'unsubscribed',
      'unsubscribe',
      [
        ...['true', 'TRUE', true, 1, '1', 'yes', 'Ja', 'oui', 'Sí', 'x', 'X', '✓', '☑', 'да'],
        ...[
          '2026-03-01 10:11:12',
          '01.03.2026',
          'too many mails',
          'Opted out',
          'DND',
          'Do Not Allow',
        ],
        ...['NORMAL', 'nicht kontaktieren', 'nie chce maili', 'Unsubscribed'],
      ],
    ],
    [
      'unsubscribed',
      undefined,
      [
        ...[
          '',
          false,
          0,
          '0',
          'no',
          'Nein',
          'FALSE',
          'non',
          'нет',
          '-',
          '—',
          'n/a',
          'null',
          '☐',
          '✗',
        ],
        ...['Subscribed', 'Allow', 'not unsubscribed', '0000-00-00 00:00:00', 'never', 'Opted in'],
      ],
    ],
    ['bounced', 'bounce', ['true', 1, '2026-01-01', 'Hard bounce', '550 no such user', 'x']],
    ['bounced', undefined, ['false', 0, '', 'Soft bounce', 'no', 'valid', 'not bounced']],
    ['complained', 'complaint', ['true', 'yes', '2026-01-01']],
    ['complained', undefined, ['', 'no', 0]],
    [
      'consent',
      'unsubscribe',
      ['no', false, 'Nein', 0, '0', 'Withdrawn', 'never subscribed', 'N', '✗'],
    ],
    ['consent', undefined, ['', 'yes', true, 1, 'Ja', 'unknown', 'single opt-in', '2025-05-05']],
    [
      'mailStatus',
      'unsubscribe',
      [
        'Unsubscribed',
        'unsubscribed',
        'Opted out',
        'Abgemeldet',
        'No consent',
        'Archived',
        'désabonné',
      ],
    ],
    ['mailStatus', 'bounce', ['Cleaned', 'Bounced', 'Hard Bounce', 'Unzustellbar', 'invalid']],
    ['mailStatus', 'complaint', ['Complained', 'Spam', 'Marked as spam', 'Spam complaint']],
    [
      'mailStatus',
      undefined,
      ['Subscribed', 'Active', 'Lead', 'Customer', '', 'New', 'Open', 'Not bounced', 'Soft bounce'],
    ],
  ]
  for (const [field, reason, some] of cells)
    it(`mean ${reason ?? 'nothing'} in ${field}`, () => {
      deepEqual(
        some.filter((cell) => readStop(field, cell as string) !== reason),
        [],
      )
    })
})

describe('columns of words about much else', () => {
  for (const heading of [
    'Status',
    'Lead Status',
    'Tags',
    'Labels',
    'Lists',
    'Kontaktstatus',
    'Stage',
  ])
    it(`stay fields, and say who must not be written to: ${heading}`, async () => {
      const batches: Batch[] = []
      const text = `Email,${heading}\na@x.test,Lead\nb@x.test,VIP ::: Do not mail\nc@x.test,bounced\n`
      await readImport(Buffer.from(text), [], (batch) => void batches.push(batch))
      const [batch] = batches
      deepEqual(
        batch?.people.map(({ own }) => own?.[heading]),
        ['Lead', 'VIP ::: Do not mail', 'bounced'],
      )
      deepEqual(
        batch?.stops.map(({ row, reason }) => `${row} ${reason}`),
        ['3 unsubscribe', '4 bounce'],
      )
    })
})

describe('numbers of a spreadsheet', () => {
  const numbers: [string, string | null | undefined][] = [
    ['4.91512E+11', null],
    ['4,91512E+11', null],
    ['4.9E11', null],
    ['5E+11', null],
    ['+4.91512E+11', null],
    ['4.915112345678E+12', '4915112345678'],
    ['4915112345678', undefined],
    ['1.5', undefined],
    ['E11', undefined],
  ]
  for (const [text, digits] of numbers)
    it(`lose digits, or not: ${text}`, () => equal(numeralOf(text), digits))
})
