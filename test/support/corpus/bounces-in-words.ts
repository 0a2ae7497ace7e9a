import type { BounceFamily, Case } from './bounce-family.ts'
import type { Reason } from './reasons.ts'

// Servers that say in the words of their country what others say in codes, and gateways that write under an ordinary address.

const words = (said: Partial<Record<Reason['name'], string>>) => (given: Case) =>
  said[given.reason.name] ?? ''
const both: Reason['name'][] = ['unknown', 'full']

const orange = words({ unknown: 'boîte aux lettres inexistante', full: 'boîte pleine' })
const libero = words({ unknown: 'utente sconosciuto', full: 'casella di posta piena' })
const terra = words({ unknown: 'el usuario no existe', full: 'la casilla está llena' })
const uol = words({ unknown: 'usuário inexistente', full: 'caixa postal cheia' })
const web = words({ unknown: 'Der Empfänger ist nicht bekannt', full: 'Postfach überfüllt' })
const mailru = words({ unknown: 'пользователь не найден', full: 'ящик получателя переполнен' })
const wp = words({ unknown: 'brak takiego użytkownika', full: 'skrzynka jest przepełniona' })
const qq = words({ unknown: '收件人邮件地址不存在', full: '收件人邮箱已满' })
const gate = words({ unknown: '宛先のユーザが見つかりません', full: 'メールボックスが一杯です' })

export const inWords: BounceFamily[] = [
  {
    name: 'Orange',
    from: 'Mail Delivery System <postmaster@orange.example>',
    subject: 'Echec de remise de votre message',
    reasons: both,
    latin: true,
    noLetter: true,
    says: (given) =>
      `Votre message n'a pas pu être remis au destinataire suivant :\n\n${given.letter.to}\n\nRaison : ${orange(given)}.\n\nCeci est un message automatique.\n`,
  },
  {
    name: 'Libero',
    from: 'noreply@libero.example',
    subject: 'Mancata consegna del messaggio',
    reasons: both,
    latin: true,
    says: (given) =>
      `Il tuo messaggio non è stato consegnato ai seguenti destinatari:\n\n${given.letter.to}\n\nMotivo: ${libero(given)}\n\n--- Original message ---\n${given.tail}`,
  },
  {
    name: 'Terra',
    from: 'mailer-daemon@terra.example',
    subject: 'Su mensaje no pudo ser entregado',
    reasons: both,
    latin: true,
    noLetter: true,
    says: (given) =>
      `El mensaje que envió no pudo ser entregado a uno o más destinatarios:\n\n${given.letter.to}\n\nMotivo: ${terra(given)}\n`,
  },
  {
    name: 'UOL',
    from: 'MAILER-DAEMON@uol.example',
    subject: 'Sua mensagem não pôde ser entregue',
    reasons: both,
    latin: true,
    noLetter: true,
    says: (given) =>
      `Sua mensagem não pôde ser entregue ao destinatário:\n\n${given.letter.to}\n\nMotivo: ${uol(given)}\n`,
  },
  {
    name: 'web.de in German',
    from: 'mailer-daemon@web.example',
    subject: 'Mail delivery failed: returning message to sender',
    reasons: both,
    latin: true,
    says: (given) =>
      `Ihre E-Mail konnte an folgende Empfänger nicht zugestellt werden:\n\n${given.letter.to}\n\nGrund: ${web(given)}\n\n--- Der Header der ursprünglichen Nachricht\n${given.tail}`,
  },
  {
    name: 'Mail.ru in Russian',
    from: 'noreply@mailru.example',
    subject: 'Ваше сообщение не доставлено',
    reasons: both,
    japanese: true,
    noLetter: true,
    says: (given) =>
      `Ваше сообщение не может быть доставлено получателю ${given.letter.to}: ${mailru(given)}.\n`,
  },
  {
    name: 'WP',
    from: 'MAILER-DAEMON@wp.example',
    subject: 'Nie można dostarczyć wiadomości',
    reasons: both,
    japanese: true,
    noLetter: true,
    says: (given) =>
      `Twoja wiadomość nie mogła zostać dostarczona do:\n\n<${given.letter.to}>: ${wp(given)}\n`,
  },
  {
    name: 'QQ',
    from: 'PostMaster@qq.example',
    subject: '来自qq.example的退信',
    reasons: both,
    japanese: true,
    noLetter: true,
    says: (given) =>
      `抱歉，您的邮件被退回来了……\n\n收件人：${given.letter.to}\n\n退信原因：${qq(given)}，邮件无法送达。\n`,
  },
  {
    name: 'a gateway in Japan',
    from: 'Mail Delivery Subsystem <system@gate.example>',
    subject: 'メール配送エラー',
    reasons: both,
    japanese: true,
    noLetter: true,
    says: (given) =>
      `このメールは自動送信されています。\n\n下記の宛先にメールを送信できませんでした。\n\n  宛先: ${given.letter.to}\n  理由: ${gate(given)}\n`,
  },
  {
    name: 'Mimecast under an ordinary address',
    from: 'Administrator <noreply@mimecast.example>',
    subject: '[Postmaster] Message Delivery Failure',
    reasons: ['policy', 'unknown'],
    noLetter: true,
    says: ({ letter, answer }) =>
      `The message could not be delivered\n\nTo: ${letter.to}\n\nReason: ${answer}\n`,
  },
  {
    name: 'GroupShield and other filters',
    from: 'GroupShield for Exchange <admin@filter.example>',
    subject: 'ALERT - GroupShield ticket number OB36 was generated',
    reasons: ['policy'],
    noLetter: true,
    says: ({ letter }) =>
      `Action Taken:\nThe message was blocked from delivery.\n\nTo:\n${letter.to}\n\nReason:\nAnti-Spam\n`,
  },
  {
    name: 'a service without a postmaster',
    from: 'noreply@relay.example',
    subject: 'Re: Cold rooms',
    reasons: ['unknown', 'full', 'disabled'],
    status: ({ letter }) => `X-Relay: 1\n\nX-Recipient: ${letter.to}\n`,
    loose: true,
    says: ({ letter, answer }) => `We could not deliver your message to ${letter.to}: ${answer}\n`,
  },
  {
    name: 'Openwave',
    from: 'Mail Administrator <Postmaster@isp.example>',
    subject: 'Mail System Error - Returned Mail',
    reasons: ['unknown'],
    noLetter: true,
    says: ({ letter }) =>
      `This Message was undeliverable due to the following reason:\n\nThe user(s) below are unknown:\n\n    <${letter.to}>\n`,
  },
]
