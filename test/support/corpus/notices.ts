import { answersOfPrograms } from './answers-of-programs.ts'
import { headOf, type Letter, letterOf, returned } from './letters.ts'
import { encodedWord, mailOf, multipart, partOf } from './mail.ts'
import { type Notice, noticesInFields } from './notices-in-fields.ts'
import { noticesOfLists } from './notices-of-lists.ts'

// What programs write under ordinary addresses: filters, lists, services, mailboxes of many countries, abuse desks, certified
// mail, and programs that answer for people. `kind` is what it is; `auto` means a program that reports nothing.

export type NoticeSample = {
  name: string
  raw: Buffer
  letter: Letter
  kind: Notice['kind']
  /** It has our letter, or its head, with it. */
  isNamed: boolean
}

const notices: Notice[] = [
  // Filters
  {
    kind: 'bounce',
    from: 'Acme Anti-Virus Gateway <scan@gate.example>',
    subject: 'Virus alert: your mail was stopped',
    text: ({ to }) => `The mail you sent to ${to} contained a virus and has been quarantined.\n`,
  },
  {
    kind: 'bounce',
    from: 'MailScanner <mailscanner@gate.example>',
    subject: 'Warning: E-mail viruses detected',
    text: ({ to }) =>
      `Our virus detector has just been triggered by a message you sent:\n  To: ${to}\nThe message was not delivered.\n`,
  },
  {
    kind: 'bounce',
    from: 'Spam Firewall <firewall@gate.example>',
    subject: '**Message you sent blocked by our bulk email filter**',
    text: ({ to }) => `Your message to: ${to}\nwas blocked by our Spam Firewall.\n`,
    with: 'part',
  },
  {
    kind: 'bounce',
    from: 'Systeem <mailgateway@poort.example>',
    subject: 'Uw bericht is geweigerd',
    text: ({ to }) => `Uw bericht aan ${to} is geweigerd: de bijlage bevat een virus.\n`,
  },
  {
    kind: 'bounce',
    from: 'Antivirus corporativo <avisos@filtro.example>',
    subject: 'Mensaje con virus',
    text: ({ to }) => `El mensaje enviado a ${to} ha sido bloqueado porque contiene un virus.\n`,
  },
  {
    kind: 'bounce',
    from: 'Антиспам и антивирус <antivirus@filtr.example>',
    subject: 'Обнаружен вирус',
    text: ({ to }) => `Ваше письмо для ${to} заражено вирусом и заблокировано.\n`,
  },
  {
    kind: 'bounce',
    from: 'メールシステム <info@filter.example>',
    subject: '添付ファイル付きメールの受信拒否',
    text: ({ to }) => `宛先 ${to} へのメールは添付ファイルのため受信を拒否しました。\n`,
  },
  {
    kind: 'bounce',
    from: 'ANTIGEN_EX2 <ANTIGEN_EX2@ex2.example>',
    subject: 'Antigen found a file filter match',
    text: () =>
      'Antigen for Exchange found prices.exe matching a filter. The message is currently Purged.\n',
  },
  {
    kind: 'auto',
    from: 'ANTIGEN_EX1 <ANTIGEN_EX1@ex1.example>',
    subject: 'Antigen found a file filter match',
    text: () => 'Antigen for Exchange found prices.zip. The file was removed.\n',
    head: ['X-Mailer: Exchange'],
  },
  ...noticesOfLists,
  // Services that send, and their users' mail
  {
    kind: 'bounce',
    from: 'Mail service <team@service.example>',
    subject: '[Service] Soft bounce',
    text: ({ to }) =>
      `A message soft bounced.\n\nThe message to ${to} could not be delivered: smtp; 452 4.2.2 Mailbox full\n`,
  },
  {
    kind: 'bounce',
    from: 'Exchange <kim@kobalt.example>',
    subject: 'Cold rooms',
    text: ({ to }) => `${to}\nThe user is unknown.\n`,
    head: ['X-MS-Exchange-Message-Is-Ndr:'],
  },
  {
    kind: 'bounce',
    from: 'quota-daemon@host.example',
    subject: 'Mail not stored',
    text: ({ to }) => `Your message to ${to} was not stored, the account is over its limit.\n`,
  },
  {
    kind: 'bounce',
    from: 'kim@kobalt.example',
    subject: 'Cold rooms',
    text: ({ to }) => `The mail could not be delivered to ${to}.\n550 5.1.1 Recipient unknown\n`,
    head: ['Auto-Submitted: auto-replied'],
  },
  {
    kind: 'auto',
    from: 'kim@kobalt.example',
    subject: 'Cold rooms',
    text: () =>
      'I am on leave and your mail is not forwarded. In urgent cases write to bo@wisla.example.\n',
    head: ['Auto-Submitted: auto-replied'],
  },
  // Mailboxes of many countries
  {
    kind: 'bounce',
    from: 'podpora@schranka.example',
    subject: 'Nedoručitelná zpráva: A cold room',
    text: ({ to }) => `Zprávu nebylo možné doručit na adresu:\n\n${to}\n\nUživatel neexistuje.\n`,
  },
  {
    kind: 'bounce',
    from: 'destek@posta.example',
    subject: 'Teslim edilemedi: A cold room',
    text: ({ to }) => `İletiniz aşağıdaki alıcıya teslim edilemedi:\n\n${to}\n`,
  },
  {
    kind: 'bounce',
    from: 'service@wangyi.example',
    subject: '来自wangyi.example的退信',
    text: ({ to }) => `抱歉，您的邮件被退回。\n\n收件人：${to}\n退信原因：收件人邮箱已满\n`,
  },
  {
    kind: 'bounce',
    from: 'webmaster@mail.example',
    subject: '[안내] 메일 반송 안내',
    text: ({ to }) => `${to} 님은 탈퇴한 회원으로 메일을 수신할 수 없습니다.\n`,
  },
  {
    kind: 'bounce',
    from: 'info@mobil.example',
    subject: '【重要】メール不達のお知らせ',
    text: ({ to }) => `下記の宛先にメールが届きませんでした。\n\n${to}\n\n550 受信拒否\n`,
  },
  {
    kind: 'bounce',
    from: 'suporte@correio.example',
    subject: 'Mensagem devolvida: A cold room',
    text: ({ to }) => `Sua mensagem foi devolvida.\n\n${to}\n\nCaixa postal cheia.\n`,
  },
  {
    kind: 'bounce',
    from: 'ayuda@buzon.example',
    subject: 'Correo devuelto: A cold room',
    text: ({ to }) => `El correo no ha sido entregado:\n\n${to}\n\nEl usuario no existe.\n`,
  },
  {
    kind: 'bounce',
    from: 'kundtjanst@brev.example',
    subject: 'Meddelandet kunde inte levereras',
    text: ({ to }) =>
      `Ditt meddelande kunde inte levereras till:\n\n${to}\n\nAnvändaren finns inte.\n`,
  },
  {
    kind: 'bounce',
    from: 'postoffice@poshta.example',
    subject: 'Повідомлення не доставлено',
    text: ({ to }) => `Ваше повідомлення не може бути доставлене:\n\n${to}\n`,
  },
  {
    kind: 'bounce',
    from: 'support@service.example',
    subject: 'Delivery to your customer failed',
    text: ({ to }) => `The message could not be delivered to ${to}: 550 5.1.1 no such user\n`,
  },
  {
    kind: 'bounce',
    from: 'admin@gate.example',
    subject: 'Undeliverable message',
    text: ({ to }) => `Created automatically by the mail system.\n\n${to}: connection refused\n`,
  },
  // Certified mail
  {
    kind: 'bounce',
    from: 'posta-certificata@pec.example',
    subject: 'AVVISO DI MANCATA CONSEGNA: A cold room',
    text: ({ to }) =>
      `Nel messaggio destinato all'utente "${to}" è stato rilevato un errore 5.1.1.\n`,
    head: ['X-Ricevuta: errore-consegna'],
  },
  {
    kind: 'delivery',
    from: 'posta-certificata@pec.example',
    subject: 'ACCETTAZIONE: A cold room',
    text: ({ to }) => `Il messaggio indirizzato a "${to}" è stato accettato dal sistema.\n`,
  },
  {
    kind: 'delivery',
    from: 'posta-certificata@pec.example',
    subject: 'A cold room',
    text: ({ to }) => `Il messaggio indirizzato a "${to}" è stato consegnato.\n`,
    head: ['X-Ricevuta: avvenuta-consegna'],
  },
  // Receipts in words
  {
    kind: 'delivery',
    from: 'Kim Lee <kim@kobalt.example>',
    subject: 'Return Receipt',
    text: () => 'Your document: A cold room\n\nwas received by: Kim Lee/Kobalt\n\nat: 23.11.2026\n',
  },
  {
    kind: 'delivery',
    from: 'Kim Lee <kim@kobalt.example>',
    subject: 'Gelesen: A cold room',
    text: () =>
      'Ihre Nachricht\n\n  Betreff: A cold room\n\nwurde gelesen am Montag, 23.11.2026.\n',
  },
  {
    kind: 'delivery',
    from: 'Kim Lee <kim@kobalt.example>',
    subject: 'Lu : A cold room',
    text: () => 'Votre message\n\n  Objet : A cold room\n\na été lu le 23/11/2026 10:12.\n',
  },
  // Abuse desks
  {
    kind: 'complaint',
    from: '9912@reports.spamcop.net',
    subject: '[SpamCop (192.0.2.7) id:9912]A cold room',
    text: () => '[ SpamCop V5 ]\nEmail from 192.0.2.7\n\n[ Offending message ]\n',
    with: 'text',
  },
  {
    kind: 'complaint',
    from: 'A reporter <771204@reports.other.example>',
    subject: '[SpamCop (http://halden.example/rooms) id:771204]A cold room',
    text: () => '[ SpamCop V5 ]\nSpamvertised web site: http://halden.example/rooms\n\n',
    with: 'text',
  },
  {
    kind: 'complaint',
    from: 'A reporter <reports@other.example>',
    subject: '[SpamCop (192.0.2.7) id:771205]A cold room',
    text: () => 'Email from 192.0.2.7 / Mon, 23 Nov 2026 09:12:44 +0000\n',
    head: ['X-SpamCop-sourceip: 192.0.2.7'],
  },
  {
    kind: 'complaint',
    from: 'Abuse Desk <abuse@provider.example>',
    subject: 'Spam complaint',
    text: () => '',
    with: 'part',
  },
  {
    kind: 'complaint',
    from: 'abuse-team@netz.example',
    subject: '[Vorgang 771] Beschwerde',
    text: () =>
      'Sehr geehrte Damen und Herren,\n\nein Kunde hat sich über unverlangte Werbung beschwert:\n\n',
    with: 'quoted',
  },
  {
    kind: 'complaint',
    from: 'Plaintes <abuse@reseau.example>',
    subject: 'Courrier indésirable depuis votre réseau',
    text: () => 'Bonjour,\n\nnous avons reçu une plainte. Le message :\n\n',
    with: 'text',
  },
  {
    kind: 'complaint',
    from: '相談窓口 <meiwaku@soudan.example>',
    subject: '迷惑メールの申告について',
    text: () => '貴社のメールについて申告がありました。\n',
    with: 'part',
  },
  {
    kind: 'complaint',
    from: 'noreply@trap.example',
    subject: 'abuse report about 192.0.2.7',
    text: () =>
      '---\nReported-From: noreply@trap.example\nCategory: abuse\nReport-Type: spam\nSchema-URL: http://www.x-arf.org/schema/abuse_spam_0.1.1.json\n\n',
    head: ['X-XARF: PLAIN', 'Auto-Submitted: auto-generated'],
    with: 'text',
  },
  {
    kind: 'complaint',
    from: 'scomp@provider.example',
    subject: 'Client TOS Notification',
    text: () => '',
    with: 'text',
  },
  ...noticesInFields,
  ...answersOfPrograms,
]

export const noticeSamples = (): NoticeSample[] =>
  notices.map((notice, n): NoticeSample => {
    const letter = letterOf(`notice ${n}`)
    const head = [
      `From: ${fieldOf(notice.from)}`,
      `To: Ana Ruiz <${letter.from}>`,
      `Subject: ${encodedWord(notice.subject)}`,
      `Message-ID: <notice-${n}@relay.example>`,
      ...(notice.head ?? []),
    ]
    return {
      name: `${notice.from}, ${notice.subject}`,
      raw: mailOf(head, bodyOf(notice, letter)),
      letter,
      kind: notice.kind,
      isNamed: notice.with !== undefined,
    }
  })

const fieldOf = (from: string) => {
  const at = from.indexOf(' <')
  return at < 0 ? from : `${encodedWord(from.slice(0, at))}${from.slice(at)}`
}

function bodyOf(notice: Notice, letter: Letter): Buffer {
  const said = notice.text(letter)
  const quoted = headOf(letter).replaceAll(/^/gm, '> ')
  const whole = { text: said + returned(letter), quoted: `${said}${quoted}\n` }
  const text =
    notice.with === 'text' || notice.with === 'quoted' ? whole[notice.with] : said || '\n'
  const part = partOf({ type: 'text/plain', charset: 'utf-8', encoding: 'base64', text })
  if (notice.with !== 'part') return part
  return multipart(
    'mixed',
    [part, partOf({ type: 'message/rfc822', text: returned(letter) })],
    'notice',
  )
}
