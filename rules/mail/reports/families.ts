import { listed } from '../phrases.ts'

// How the bounces of mail servers begin, and where the returned letter begins in them. Servers copy each other's words, so a
// bounce is read by those of all families at once. This is a table, with a row for each family of servers; that makes it longer
// than 300 lines.

/**
 * What the bounces of one family of mail servers have in common. All of it is in lower case on a single line, as
 * rules/mail/phrases.ts folds texts.
 */
type Family = {
  name: string
  /** Each proves, in the words of a mail server, that a letter was not delivered. */
  opens: string[]
  /** Where the returned letter begins: the beginnings of lines. */
  cuts?: string[]
}

/** Filters and services that stand before the server of a company. */
const gateways: Family[] = [
  {
    name: 'Symantec Email Security.cloud, MessageLabs, Mimecast, Barracuda, Postini',
    opens: [
      'we were unable to deliver your message to the following address',
      'your message could not be delivered to',
      'your message was not delivered to',
      'this message has been rejected by',
      'your email was rejected',
      'your email has been rejected',
      'the message you sent to was rejected',
      'was rejected by the recipient domain',
      'the message was blocked from delivery',
      'has stopped the following email',
      'your email was not delivered',
      'the following email was not delivered',
      'the message could not be delivered',
    ],
  },
  {
    name: 'McAfee, mxLogic',
    opens: [
      'the following addresses had delivery problems',
      'this message was created automatically by mail delivery software',
    ],
    cuts: ['included is a copy of the message header'],
  },
  {
    name: 'InterScan',
    opens: ['message from interscan', 'sent <<< rcpt to', 'sent >>> rcpt to'],
  },
  {
    name: 'MailFoundry',
    opens: [
      'delivery failed for the following reason',
      'this has been a permanent failure. no further delivery attempts will be made',
    ],
  },
  {
    name: 'm-FILTER, Activehunter, FML',
    opens: ['-------server message', '-----server message', '送信できませんでした'],
    cuts: ['-------original message', '-------original mail info', '-----original mail info'],
  },
  {
    name: 'Amavis and virus filters',
    opens: [
      'your message has been blocked because',
      'detector has just been triggered by a message you sent',
      'delivery of the email was stopped',
      'your message to was considered unsolicited',
    ],
  },
  {
    name: 'services that send',
    opens: [
      'i am sending you this message to inform you on the delivery status of a message',
      'an error occurred while trying to deliver the mail to the following recipients',
      'an error occurred while trying to deliver the mail',
      'your message to the following recipients was not delivered',
      'the following message to was undeliverable',
    ],
  },
  {
    name: 'appliances without a name',
    opens: [
      'this message was undeliverable due to the following reason',
      'each of the following recipients was rejected by a remote mail server',
      'the following recipients did not receive this message',
      'the following recipient(s) did not receive',
      'unable to deliver message to the following address(es)',
      'unable to deliver message to the following recipient',
      "we're sorry. there's a problem with the e-mail address(es) listed below",
      'we had trouble delivering your message',
      'we could not deliver your message to',
      'delivery of your message to the following address failed',
      'the message below could not be delivered',
      'your message to was undeliverable',
      'the message you sent to could not be delivered',
      'delivery failure report',
      'non-delivery report',
      'non-delivered information',
    ],
    cuts: [
      '--- original message',
      '----- original message',
      '-----original message',
      '---original message',
      '----- message header',
      '--- message header',
      '----- returned message',
      '--- returned message',
      '--- undelivered message',
      '--- begin message',
      '--- your message',
      'original message follows',
      'message header follows',
      'message headers follow',
      'headers follow',
      'returned message follows',
      'the original message follows',
      'the original message:',
      'content of the original message',
      '===== original message',
    ],
  },
]

/** A list notifies its owner that it has received a bounce, and what follows is that bounce. */
export const passesOnBounce = 'has been identified as a possible delivery error notice'

/** Programs that send a letter on to many, by mail or by fax. */
const lists: Family[] = [
  {
    name: 'mailing lists and groups',
    opens: [
      'you are not a member of this mailing list',
      'you are not authorized to send mail to',
      'not member article from',
      'mail may loop and did not distribute it',
      'the group you tried to contact',
      'the group that you tried to contact',
      'loop back warning',
      'has detected a loop condition',
      'you are not allowed to post to this mailing list',
      'you may not have permission to post messages to the group',
    ],
  },
  {
    name: 'LISTSERV, LMail',
    opens: [
      'an error was detected while processing the enclosed message',
      passesOnBounce,
      'your message is being returned to you unprocessed',
    ],
    cuts: ['----------------- message in error'],
  },
]

const providers: Family[] = [
  {
    name: 'Google',
    opens: [
      'delivery to the following recipient failed permanently',
      'delivery to the following recipients failed permanently',
      'technical details of permanent failure',
      "your message wasn't delivered to",
      "wasn't delivered to",
      "the address couldn't be found, or is unable to receive mail",
      'google tried to deliver your message, but it was rejected',
      'the response from the remote server was',
      "wasn't delivered to anyone because",
      'die nachricht wurde nicht zugestellt an',
      'ihre nachricht wurde nicht zugestellt',
      'ihre nachricht an konnte nicht',
      "votre message n'a pas été distribué",
      "votre message n'est pas parvenu à",
      'no se ha entregado tu mensaje a',
      'tu mensaje no se ha entregado',
      'il tuo messaggio non è stato recapitato',
      'sua mensagem não foi entregue',
      'je bericht is niet bezorgd',
      'uw bericht is niet bezorgd',
      'wiadomość nie została dostarczona',
      'nie udało się dostarczyć',
      'メールは配信されませんでした',
      '配信されませんでした',
    ],
    cuts: ['----- original message', '----- ursprüngliche nachricht'],
  },
  {
    name: 'Yahoo, AOL, Verizon',
    opens: [
      'sorry, we were unable to deliver your message to the following address',
      'unable to deliver your message to the following address',
      'message could not be delivered to mobile',
      'message could not be delivered to',
      'no valid recipients for this mm',
      'the following message to was undeliverable',
      'because they are not accepting mail from',
    ],
    cuts: ['--- below this line is a copy of the message'],
  },
  {
    name: 'Amazon SES, WorkMail',
    opens: ['an error occurred while trying to deliver the mail to the following recipients'],
  },
  {
    name: 'GMX, web.de, 1&1, T-Online',
    opens: [
      'eine oder mehrere nachrichten konnten nicht zugestellt werden',
      'konnte nicht zugestellt werden',
      'konnte leider nicht zugestellt werden',
      'konnte an einen oder mehrere empfänger nicht',
      'mailzustellung fehlgeschlagen',
      'zustellung fehlgeschlagen',
      'folgende adressen schlugen fehl',
      'folgende adresse(n) schlugen fehl',
      'leider konnte ihre nachricht',
    ],
    cuts: ['--- der header der ursprünglichen nachricht', '--- ursprüngliche nachricht'],
  },
  {
    name: 'Tencent, NetEase, Sina',
    opens: ['您的邮件被退回', '您发送的邮件被退回', '退信原因'],
  },
  {
    name: 'Daum, Naver, Netian',
    opens: ['메일을 수신할 수 없습니다', '메일을 전송하지 못했습니다'],
  },
  {
    name: 'Yandex, Mail.ru',
    opens: [
      'это письмо создано автоматически сервером',
      'не может быть доставлено',
      'не было доставлено',
      'не удалось доставить',
      'невозможно доставить',
      'сообщение не доставлено',
      'письмо не доставлено',
      'недоставленное',
    ],
  },
  {
    name: 'KDDI, au, EZweb, docomo, SoftBank, Biglobe',
    opens: [
      'could not be sent to:',
      'could not be delivered to:',
      'as their mailbox is full',
      'the user(s) account is disabled',
      'the user(s) account is temporarily limited',
      'your mail sent on:',
      'non-delivered information',
      'the following addresses had delivery problems',
      'your message was not delivered to the following recipient',
      '次のあて先へのメッセージはエラーのため送信できませんでした',
      '送信できませんでした',
      '送信に失敗しました',
      '配信に失敗しました',
      '配送できませんでした',
      '届けられませんでした',
      'お届けできませんでした',
      '配信不能',
      'エラーメール',
      '宛先が間違っている',
    ],
  },
  {
    name: 'Facebook, Bigfoot, Zoho and others',
    opens: [
      'this message was created automatically by facebook',
      'your message could not be delivered by',
      'invalid address, error_code',
      'the email account that you tried to reach',
      'could not be delivered to the following addresses',
    ],
  },
]

const unix: Family[] = [
  {
    name: 'Postfix',
    opens: [
      'this is the mail system at host',
      'this is the postfix program at host',
      'this is the mail delivery system at',
      'your message could not be delivered to one or more recipients',
      'your message could not be delivered for',
      'undelivered mail returned to sender',
    ],
  },
  {
    name: 'Sendmail',
    opens: [
      'the following addresses had permanent fatal errors',
      'the following addresses had permanent delivery errors',
      'the following addresses have delivery notifications',
      'the following addresses had delivery errors',
      'the following addresses had delivery problems',
      'transcript of session follows',
      'returned mail: see transcript for details',
      'returned mail: user unknown',
      'returned mail: host unknown',
      'could not send message for past',
    ],
    cuts: ['----- unsent message follows', '----- original message follows', '--- unsent message'],
  },
  {
    name: 'qmail, netqmail, vpopmail, vdelivermail, Haraka',
    opens: [
      'this is the qmail-send program',
      'this is the haraka mailer program',
      "i'm afraid i wasn't able to deliver your message",
      'i was not able to deliver your message',
      "i wasn't able to deliver your message",
      "i couldn't deliver your message",
      "i wasn't able to deliver",
      'muss ich ihnen mitteilen, dass ihre nachricht',
      'sorry, no mailbox here by that name',
      "sorry it didn't work out",
      'tried to deliver your message, but it could not be delivered',
    ],
    cuts: [
      '--- below this line is a copy of the message',
      '--- below this line is the original bounce',
      '--- unter dieser zeile steht eine kopie',
      '--- enclosed is a copy of',
      '--- undelivered message follows',
      '--- headers of the message follow',
    ],
  },
  {
    name: 'Exim',
    opens: [
      'this message was created automatically by mail delivery software',
      'a message that you sent could not be delivered to one or more of its recipients',
      'a message that you sent could not be delivered to all of its recipients',
      'a message sent by could not be delivered',
      'could not be delivered to one or more of its recipients',
      'could not be delivered to all of its recipients',
      'mail delivery failed: returning message to sender',
      'mail delivery failed: returning message',
      'the following address(es) failed',
      'the following addresses failed',
      'the following text was generated during the delivery attempt',
    ],
    cuts: [
      '------ this is a copy of the message',
      '------ this is a copy of your message',
      '------ the body of the message is',
      '--- the header of the original message is following',
      '--- the header of the original message',
    ],
  },
  {
    name: 'Courier',
    opens: [
      'your message to the following recipients cannot be delivered',
      'this is a delivery status notification from',
      'undeliverable mail',
      'the following recipients cannot be delivered',
      'this delivery status notification is in regards to the message',
    ],
    cuts: [
      'the headers from your original message follow',
      'if your message was also sent to additional',
    ],
  },
  {
    name: 'OpenSMTPD',
    opens: [
      'this is the mailer-daemon, please do not reply to this e-mail',
      'an error has occurred while attempting to deliver a message',
      'delivery status notification: error',
    ],
    cuts: ['below is a copy of the original message'],
  },
  {
    name: 'DragonFly Mail Agent',
    opens: [
      'this is the dragonfly mail agent',
      'there was an error delivering your mail to',
      'did not like our',
    ],
    cuts: ['original message follows', 'message headers follow'],
  },
  {
    name: 'Apache James',
    opens: ['this is the james mail server at', 'failed recipient(s)'],
    cuts: ['the original message is attached'],
  },
  {
    name: 'Zimbra, Sun and Oracle Messaging Server',
    opens: [
      'this report relates to a message you sent with the following header fields',
      'your message cannot be delivered to the following recipients',
      'your message has been enqueued and undeliverable',
      'the message was undeliverable to the following recipients',
    ],
  },
  {
    name: 'COMSAT',
    opens: ['a copy of your message is being returned'],
    cuts: ['============ failed message follows'],
  },
  {
    name: 'smail, MMDF, Mercury and older ones',
    opens: [
      'message delivery failed',
      'failed mail',
      'your mail message could not be delivered',
      'your mail could not be delivered',
      'could not be delivered to the following',
      'the following message could not be delivered',
      'unable to deliver mail to the following',
      'unable to deliver message to',
      'unable to deliver your message to',
      'cannot deliver mail to',
      'mail not delivered to',
      'failed addresses follow',
    ],
    cuts: [
      'message text follows',
      'unsent message below',
      '|------------------------- message text',
      '|------------------------- message header',
    ],
  },
]

const windows: Family[] = [
  {
    name: 'Exchange on the premises',
    opens: [
      'your message did not reach some or all of the intended recipients',
      'did not reach the following recipient(s)',
      'the following recipient(s) could not be reached',
      'the following recipient(s) cannot be reached',
      'delivery has failed to these recipients or distribution lists',
      'delivery has failed to these recipients or groups',
      'delivery to the following recipients failed',
      'delivery to the following recipients has been delayed',
      'unable to deliver this message to',
      'diagnostic information for administrators',
      'this is an automatically generated delivery status notification',
      'unable to deliver the message to',
      "your message couldn't be delivered",
      'the e-mail system was unable to deliver the message',
      'ihre nachricht hat einige oder alle empfänger nicht erreicht',
      'fehler bei der nachrichtenzustellung an folgende empfänger',
      'fehler bei der zustellung an folgende empfänger',
      'übermittlung an folgende empfänger fehlgeschlagen',
      'diagnoseinformationen für administratoren',
      'dies ist eine automatisch erstellte benachrichtigung',
      'échec de la remise pour ces destinataires',
      'échec de la remise aux destinataires',
      "n'a pas pu être remis aux destinataires suivants",
      "votre message n'est pas parvenu",
      'informations de diagnostic pour les administrateurs',
      'no se pudo entregar el mensaje a los siguientes destinatarios',
      'error al entregar a los siguientes destinatarios',
      'error de entrega a los siguientes destinatarios',
      'error de entrega para los siguientes destinatarios',
      'información de diagnóstico para administradores',
      'il messaggio non è stato recapitato',
      'impossibile recapitare il messaggio',
      'recapito non riuscito',
      'informazioni di diagnostica per gli amministratori',
      'a entrega falhou para estes destinatários',
      'falha na entrega para estes destinatários',
      'informações de diagnóstico para administradores',
      'kan bericht niet bezorgen aan',
      'de bezorging is mislukt voor deze geadresseerden',
      'bezorgen van het bericht is mislukt',
      'diagnostische gegevens voor beheerders',
      'nie można dostarczyć wiadomości do następujących',
      'dostarczenie nie powiodło się do tych adresatów',
      'informacje diagnostyczne dla administratorów',
      '次の受信者またはグループへの配信に失敗しました',
      '次の受信者またはグループにメッセージを配信できませんでした',
      '以下の受信者への配信に失敗しました',
      '管理者向けの診断情報',
    ],
    cuts: [
      'original message headers',
      'ursprüngliche nachrichtenkopfzeilen',
      'ursprüngliche nachrichtenköpfe',
      "en-têtes de message d'origine",
      'encabezados de mensaje originales',
      'intestazioni originali del messaggio',
      'cabeçalhos de mensagem originais',
      'oorspronkelijke berichtkoppen',
      'nagłówki oryginalnej wiadomości',
      '元のメッセージ ヘッダー',
    ],
  },
  {
    name: 'Exchange Online',
    opens: [
      "couldn't be delivered to",
      "your message to wasn't delivered",
      "wasn't found at",
      "wasn't delivered because",
      "couldn't be found at",
      'the group only accepts messages from people in its organization',
      'konnte nicht zugestellt werden an',
      "n'a pas pu être remis à",
      'no se pudo entregar a',
      'non è stato possibile recapitare il messaggio a',
      'não pôde ser entregue a',
      'kan niet worden bezorgd bij',
      'nie można było dostarczyć do',
    ],
    cuts: ['original message details', 'original message header'],
  },
  {
    name: 'X.400 gateways',
    opens: [
      'the mts-id of the original message is',
      'the recipient was unavailable to take delivery',
      'recipient name is not recognized',
      'has not been delivered to one or more recipients',
    ],
  },
  {
    name: 'Domino and Notes',
    opens: [
      'not listed in domino directory',
      'not listed in public name & address book',
      'not listed in public name address book',
      '--- failure reasons ---',
      'wurde nicht zugestellt an',
    ],
    cuts: ['------- returned message', '------- message header'],
  },
  {
    name: 'IMail',
    opens: [
      'unknown user:',
      'user mailbox exceeds allowed size:',
      'delivery failed 20 attempts',
      'invalid final delivery userid:',
      'unknown host:',
      'body of message generated response:',
    ],
    cuts: ['original message follows', 'message headers follow'],
  },
  {
    name: 'MailMarshal',
    opens: [
      'could not be delivered because of',
      'the following recipients were affected',
      'the following recipients were not affected',
    ],
    cuts: ['additional information', 'mailmarshal rule'],
  },
  {
    name: 'SurfControl',
    opens: [
      'your message could not be sent. a transcript of the attempts',
      'a transcript of the attempts to send the message follows',
      'failed to send to identified host',
      '--- message non-deliverable',
    ],
  },
  {
    name: 'hMailServer',
    opens: ['your message did not reach some or all of the intended recipients'],
  },
  {
    name: 'Kerio',
    opens: [
      'your message was not delivered to the following recipients',
      'could not be delivered to the following recipients',
    ],
  },
  {
    name: 'MDaemon, MailEnable, SmarterMail, Mercury, IceWarp',
    opens: [
      'the attached message had permanent fatal delivery errors',
      'the attached message has failed delivery',
      'could not deliver your message to the following recipient',
      'could not deliver message to the following recipient',
      'message could not be delivered to some recipients',
      'this message could not be delivered to the following',
      'failed to deliver the message to the following recipients',
      'the following destination addresses were unknown',
      'this server was unable to deliver',
    ],
    cuts: ['the message headers of the attached message'],
  },
]

const families: Family[] = [...unix, ...windows, ...gateways, ...lists, ...providers]

export const opens: string[] = [...new Set(families.flatMap((family) => family.opens))]
export const cuts: string[] = [...new Set(families.flatMap((family) => family.cuts ?? []))]

/** The server still tries. */
export const delays: string[] =
  listed(`delivery status notification: delay | message is delayed | temporary failure report
      delivery delayed | delivery is delayed | delivery has been delayed
      delivery status notification (delay) | message delayed | has been delayed | has not yet been delivered
      not been delivered yet | not yet been delivered | still undelivered after | will continue to try
      has been postponed
      will keep trying | will be retried | will retry | will try again | still being retried | still trying
      has not yet been fully delivered | delivery attempts are still pending | gmail will retry
      you do not need to resend | you don't need to resend | do not need to resend your message
      no action is required on your part | this is a warning message only | warning message only
      transient non-fatal errors | could not send message for past | zustellung verzögert
      noch nicht zugestellt | versucht weiterhin
      zustellung verzögert sich | verzögerte zustellung | remise différée | remise retardée
      remise du message est retardée | entrega retrasada | consegna ritardata | entrega atrasada
      bezorging is vertraagd | bezorging vertraagd | opóźnion | 配信が遅れ | 配信遅延`)

/** The letter has arrived. */
export const successes: string[] =
  listed(`delivery status notification (success) | delivery to these recipients or groups is complete
      your message has been delivered to the following recipients | delivery status notification (relay)
      successfully delivered | was successfully relayed | delivered successfully | delivery was successful
      erfolgreich zugestellt | return receipt | successful delivery notifications | successful mail delivery
      delivered with success | remis avec succès | distribué avec succès | entregado correctamente
      entregado con éxito | consegnato correttamente | consegnato con successo | entregue com sucesso
      succesvol bezorgd | succesvol afgeleverd | pomyślnie dostarczon | успешно доставлен | úspěšně doručen
      levererats utan fel | 正常に配信されました | 投递成功 | 成功送达`)

/** The server will try again by itself, whatever words of a failure stand next to it. */
export const retries: string[] =
  listed(`this is a temporary error | will be reattempted | will continue to attempt | delivery attempts will continue
      temporary failure report | do not need to re-send | do not need to resend | don't need to resend`)

/** The server has stopped trying, and says so itself. */
export const finals: string[] =
  listed(`permanent error | permanent fatal | permanent failure | failed permanently | given up | giving up | gave up
      no further attempt | no further deliver | no further tries | no further retr | expired | not successfully
      returned to sender | discarded`)

/** The server has stopped trying, as far as its words show it. */
export const ends: string[] = [
  ...finals,
  ...listed('has failed | delivery failed | delivery failure | undeliverable'),
]

/** The letter waits until its sender proves to be a person, or a moderator has read it: a program asks, and nothing has failed. */
export const holds: string[] =
  listed(`to release your message for delivery | complete the verification process | please confirm your message
      before your message can be delivered | to have your message delivered | your message is being held because
      is being held because the address | is being held until | awaits moderator approval
      added to my list of approved senders | held for moderation | awaiting approval by the moderator
      in order for your message to be delivered | confirm that you are a human | verify that you are a human
      para que sua mensagem seja | para que su mensaje sea entregado | damit ihre nachricht zugestellt
      pour que votre message soit | affinché il suo messaggio venga | waiting for approval
      waiting for moderation | pending approval by the moderator | forwarded to the moderator
      submitted to the moderator | wartet auf freigabe | wartet auf moderation | muss vom moderator
      en attente de modération | attend l'approbation du modérateur | pendiente de moderación
      pendiente de aprobación | in attesa di moderazione | in attesa di approvazione | aguarda moderação
      aguardando moderação | wacht op goedkeuring | oczekuje na moderację | oczekuje na zatwierdzenie
      ожидает модерации | ожидает одобрения | モデレーターの承認 | 等待管理员审核`)
