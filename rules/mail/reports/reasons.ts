import { listed } from './phrases.ts'

// The reasons of servers in fixed phrases. The first entry that fits decides, so that what may pass comes before what is for
// good. Those of servers alone are not looked for in mail that a person may have written.

export const reasons: [code: string, phrases: string[], ofServers?: 'of servers'][] = [
  ['5.3.4', listed('size of the message exceeded')],
  ['5.4.6', listed('maximum hop count | too many hops | hop count exceeded')],
  [
    '5.2.2',
    listed(`mailbox is full | mailbox full | mailbox was full | mail box full | mailbox has exceeded | inbox is full
      inbox full | mailfolder is full | maildir delivery failed: userdisk quota | over quota | overquota
      over the quota | over its quota | quota exceed | quota is exceeded | exceeded quota | exceeded their quota
      exceeded its quota | exceeded the quota | exceeds quota | exceeding quota | disk quota | quota violation
      mailbox limit exceeded | mailbox limit exeeded | allowed mailbox quota | exhausted allowed storage
      quota full | out of quota | exceeded storage | exceeds storage | storage quota | storage exceeded
      mailbox size limit | mailbox exceeds allowed size | exceeded the local limit
      exceeded the limit of the mailbox | exceeds allowed message count | insufficient disk space | no space left
      out of storage | not enough storage | not enough space | account is full | folder is full | user is over
      mailbox has too many | number of messages in recipient's mailbox | temporarily limited
      the recipient storage is full | postfach ist voll | postfach voll | postfachspeicher | speicherplatz
      quota überschritten | boîte de réception est pleine | boîte aux lettres est pleine | boite aux lettres pleine
      buzón lleno | buzón está lleno | buzón de correo está lleno | casella piena | casella di posta è piena
      caixa de correio cheia | caixa postal cheia | postvak is vol | mailbox is vol | skrzynka jest pełna
      zu viele mails | zuviele mails | zu viele nachrichten
      przepełniona | почтовый ящик переполнен | メールボックスがいっぱい | メールボックスの容量`),
  ],
  [
    '4.7.1',
    listed(`greylist | graylist | grey list | gray list | greylisted | please try again later | try again later
      try later | temporarily deferred | temporarily rejected | temporarily blocked | too many connections
      too many recipients | too many invalid recipients | too many bad recipients | rate limit | rate limited
      sending rate | receiving mail at a rate | too quickly | throttl`),
  ],
  [
    '4.4.3',
    listed(`host not found, try again | temporary failure in name resolution | temporary dns failure
      temporary dns error | dns temporary failure | temporary lookup failure`),
  ],
  ['4.4.7', listed('maximum delivery attempts | maximum number of delivery attempts')],
  [
    '4.7.1',
    listed(
      'max emails per hour | max defers and failures | frequency limited | ratelimit | receivingrate',
    ),
    'of servers',
  ],
  // Of the sender and of the recipient (RFC 7505).
  ['5.7.27', listed('sender address has null mx | sender address has a null mx')],
  ['5.1.10', listed('nullmx | null mx | indicated no smtp service')],
  [
    '5.1.8',
    listed(`sender verify failed | sender verification failed | sender address rejected | domain of sender
      sender domain | cannot resolve sender | bad sender | invalid sender`),
  ],
  [
    '5.1.1',
    listed(`user unknown | unknown user | no such user | no such mailbox | no such recipient | user not found
      user doesn't exist | user does not exist | user not listed | not listed in domino | not listed in public
      mailbox not found | mailbox unknown | unknown recipient | recipient unknown | recipient not found
      recipnotfound | recipientnotfound | account that you tried to reach does not exist | account does not exist
      unknown local part | unrouteable address | non-local recipient verification failed
      not a member of domain`),
  ],
  // It is not told that it takes mail for the domain.
  [
    '5.7.1',
    listed("that domain isn't in my list of allowed | in my list of allowed rcpthosts"),
    'of servers',
  ],
  ['5.1.4', listed('user name info not unique | not unique. several matches'), 'of servers'],
  ['5.1.8', listed('verification failed for | sender has no'), 'of servers'],
  [
    '5.7.10',
    listed('tls is required | tls required | starttls is required | encryption required'),
    'of servers',
  ],
  [
    '5.3.4',
    listed(`supera el tamaño máximo | dépasse la taille maximale | supera la dimensione massima | excede o tamanho máximo
      überschreitet die maximal | maximale nachrichtengröße | maximum transfer size exceeded
      überschreitet die zulässige größe | overschrijdt de maximale`),
    'of servers',
  ],
  [
    '5.3.4',
    listed(`message too large | message is too large | message size exceeds | size exceeds | exceeds maximum
      exceeds the maximum | exceeded maximum | maximum message size | message exceeds | message too big
      too big for | too large for | message length exceeds | larger than the current system limit
      message is too big | larger than the limit | header too large | content too large | size limit
      サイズ制限を超え | サイズが制限を超え | 容量制限を超え
      nachricht ist zu groß | message trop volumineux | mensaje demasiado grande | messaggio troppo grande
      mensagem muito grande | bericht te groot | 邮件过大 | メールサイズ`),
  ],
  // Of a list or a mailbox, not of a server.
  [
    '5.7.1',
    listed('not authorized to send mail to | not authorized to send to | not authorized to post'),
    'of servers',
  ],
  [
    '5.7.26',
    listed(`dmarc | unauthenticated email | spf check failed | spf record | spf failure | fails spf | failed spf | dkim
      not authorized to send | sender policy framework`),
  ],
  // What refuses a connection is no policy.
  ['4.4.1', listed('connection refused by'), 'of servers'],
  [
    '5.7.1',
    listed(`spam | unsolicited | blacklist | black list | blocklist | block list | blocked | block listed | listed in
      listed at | listed by | listed on | dnsbl | rbl | reputation | policy | prohibited | not permitted
      relay access denied | relaying denied | unable to relay | relay not permitted | relaying is not allowed
      relay denied | not a gateway | authentication required | authenticated sender | not authorized
      not allowed to | access denied by | banned | virus | malware | phish | suspicious | contentfilter
      content filter | content rejected | message content | message rejected due | refused by | reverse dns | no ptr
      ptr record | cannot find your hostname | bad reputation | sender verify | sender address rejected
      sender denied | sender rejected | sender is not | only accepts messages from | does not accept mail from
      not accept mail from | is configured to reject | delivery restriction | restricted | closed to | not member
      not a member | members only | nur mitglieder | nur für mitglieder | réservé aux membres | solo miembros
      solo los miembros | non-member | may not have permission to post | ip address | infected | infiziert
      infecté | infectad | vírus | вирус | ウイルス | ウィルス | 病毒 | 바이러스 | 受信拒否 | 受信を拒否 | 受信が拒否
      迷惑メール設定 | セキュリティポリシー | 拒收 | 拦截 | 수신 거부 | 수신거부 | 수신이 거부`),
  ],
  [
    '5.7.1',
    listed(`requires authentication | authentication is required | must authenticate | authenticate first
      rejected by the local scanning code | administrative prohibition | administratively prohibited
      administratively denied | dateityp
      only allows messages from | ptr resource record | security policies | mi:spb | dt:spm | rp:qrc | ip is rejected
      suspected bounce attacks | postmaster.aol | postmaster.info.aol | tosa@rx.t-online.de | aup#
      client host rejected | ip must resolve | helo mismatch | 垃圾邮件 | 垃圾郵件 | junk mail | junkmail
      allowed to relay | smtp authentication | auth failed
      authentication failed | authentication mechanism | content reject | refused to receive
      is mismatched | sender email is not | non-western`),
    'of servers',
  ],
  [
    '5.2.1',
    listed(`account is disabled | account disabled | account has been disabled | account is inactive | account inactive
      account is not active | account is locked | account has been suspended | account is suspended
      account suspended | account has been closed | account closed | account is closed
      account has been deactivated | account deactivated | account expired | account has expired | user disabled
      user is disabled | user account is disabled | user(s) account is disabled | mailbox disabled
      mailbox is disabled | mailbox is inactive | mailbox inactive | mailbox is not active
      mailbox temporarily disabled | mailbox currently suspended | mailbox is frozen
      email account that you tried to reach is disabled | email account that you tried to reach is inactive
      user is inactive | inactive user | user suspended | user is suspended | address is administratively disabled
      recipient is disabled | recipient suspended | not accepting messages | is no longer active | no longer in use
      konto ist deaktiviert | konto wurde gesperrt | compte désactivé | cuenta desactivada | cuenta está desactivada
      account disabilitato | conta desativada | account is gedeactiveerd | konto zablokowane
      アカウントは有効期限切れ`),
  ],
  [
    '5.2.1',
    listed(`is now disabled | disableduser | account not activated | inactive account
      this account is not allowed | mailbox not activated`),
    'of servers',
  ],
  [
    '5.1.2',
    listed(`domain not found | no such domain | host not found | host unknown | unknown host | unknown domain
      domain unknown | domain does not exist | domain doesn't exist | domain doesnt exist | domain name not found
      no such host | nxdomain | non-existent domain | non-existent host
      nonexistent domain | couldn't find any host | couldn't find any host by that name
      couldn't find a mail exchanger | invalid domain | bad destination system address | bad destination host
      unrouteable mail domain | unroutable domain | name or service not known | no mx
      no mail servers appear to exist | mx records point
      no a record | dns lookup failed | dns error | domain lookup failed | name server: host | illegal host/domain
      the domain you entered | domain has no | recipient's domain | address resolution failed
      domain existiert nicht | domäne wurde nicht gefunden | domaine n'existe pas | domaine introuvable
      dominio no existe | dominio inesistente | domínio não existe | domein bestaat niet | domena nie istnieje
      all host address lookups failed permanently | ドメインが見つかりません | ドメインが存在しません
      ホスト名が見つかりません | ホストが見つかりません`),
  ],
  [
    '5.1.2',
    listed(`destination email system is unknown | destination e-mail system is unknown
      destination computer system is unknown | getaddrinfo enotfound | no mail exchangers`),
    'of servers',
  ],
  [
    '5.1.1',
    listed(`user unknown | unknown user | userunknown | no such user | no such mailbox | no such address
      no such recipient | no such person | no such account | no such local user | no such email | user not found
      user doesn't exist | user does not exist | user is unknown | user not known | user is not found
      user not exist | user no found | user not local | user not listed | unknown account | unknown address
      unknown recipient | unknown local | unknown or illegal alias | unknown or invalid | unknown mailbox
      mailbox unknown | mailbox not found | mailbox unavailable | mailbox is unavailable | mailbox isn't available
      mailbox not available | mailbox does not exist | mailbox doesn't exist | mailbox name not allowed
      mailbox invalid | invalid mailbox | no mailbox | not our customer | no account | account not found
      account not available
      account does not exist | account doesn't exist | account that you tried to reach does not exist
      address not found | address unknown | address invalid | address is unknown | address rejected | address error
      address does not exist | address doesn't exist | address couldn't be found | address could not be found
      address wasn't found | address you sent your message to wasn't found | address not listed
      addresses were unknown | bad address | bad destination mailbox | bad recipient | bad mailbox
      invalid recipient | invalid user | invalid address | invalid final delivery | illegal user | illegal alias
      recipient unknown | recipient not found | recipnotfound | recipientnotfound | recipient name is not recognized
      recipient does not exist | recipient doesn't exist | recipient is unknown | recipient is invalid
      recipient invalid | recipient rejected | recipient address rejected | recipient not exist
      recipient unavailable | recipient no longer | recipient is not local | not recognized | no valid recipients
      not a valid mailbox | not a valid user | not a valid recipient | not a known user | is not valid
      does not like recipient | does not have a | doesn't have a | no longer on server | no longer valid
      no longer a member of the university | no longer a member of staff | no longer available | no longer employed
      no longer with | has left | unrouteable address | unroutable address | rejected recipient
      delivery to this address
      e-mail account does not exist at the organization | couldn't be found at | wasn't found at
      could not find the following recipient | name was not found at | directory service
      not listed in | no recipient | none of your recipients | empfänger unbekannt | empfänger existiert nicht
      benutzer unbekannt | benutzer existiert nicht | unbekannter benutzer | unbekannter empfänger
      adresse unbekannt | adresse existiert nicht | konnte nicht gefunden werden | nicht gefunden
      utilisateur inconnu | destinataire inconnu | adresse inconnue | adresse n'existe pas | n'existe pas
      introuvable | usuario desconocido | usuario no existe | destinatario desconocido | no se encontró
      no se ha encontrado | no existe | utente sconosciuto | utente inesistente | destinatario sconosciuto
      non esiste | non trovato | usuário desconhecido | usuário inexistente | destinatário desconhecido | não existe
      não foi encontrado | gebruiker onbekend | onbekende gebruiker | bestaat niet | niet gevonden
      nieznany użytkownik | użytkownik nieznany | nie istnieje | nie znaleziono | не найден | не существует
      宛先が見つかりません | あて先不明 | 宛先不明 | ユーザーが存在しません | 存在しません | 見つかりません
      リストにありません | 不存在`),
  ],
  [
    '5.1.1',
    listed(
      `invalid subscriber | unknown subscriber | no such subscriber | subscriber not found | unknown receiver
      no such id | invalid-recipient | no mail-box | recipient unrecognized | unrecognized recipient | undeliverable address
      command rcpt user | recipient cannot be verified | recipient could not be verified`,
    ),
    'of servers',
  ],
  [
    '4.4.1',
    listed(
      `connection timed out | connection timeout | connect timed out | host is unreachable | host was unreachable`,
    ),
    'of servers',
  ],
  // Haraka, of every exchanger of a domain, and of one after the other.
  ['4.4.1', listed('tried all mxs'), 'of servers'],
  ['4.4.7', listed('message has expired | too many failures ('), 'of servers'],
  [
    '4.4.7',
    listed(`delivery time expired | delivery expired | message expired | retry timeout exceeded | retry time not reached
      retry limit | retry duration | time limit | timed out | timeout | maximum retry | too long | for too long
      expired after | in the queue for | : too old | giving up | been trying | zeitüberschreitung | délai dépassé
      all delivery attempts
      delivery attempts have | delivery attempts failed | repeated delivery attempts | several delivery attempts
      multiple delivery attempts | unsuccessful delivery attempts`),
  ],
  [
    '4.4.1',
    listed(`connection refused | connection dropped | connection lost | connection reset | connection timed
      no route to host | network is unreachable | network unreachable | host unreachable | could not connect
      couldn't connect | unable to connect | cannot connect | wasn't able to establish an smtp connection
      failed to connect | lost connection | no answer from host | host is not reachable | bad connection | is not responding
      not reachable within | unreachable for | : no response | server is down | host is down`),
  ],
  ['5.4.6', listed('mx record points to local host | mailloop'), 'of servers'],
  ['5.5.1', listed('bad sequence of commands'), 'of servers'],
  [
    '5.4.6',
    listed(
      `routing loop | mail loop | mail may loop | loop detected | loop back warning | detected a loop
      loops back | hop count`,
    ),
  ],
  [
    '5.6.0',
    listed(
      `syntax error | malformed | conversion | bare lf | 8bit | 8-bit | line too long | rfc 5322 compliant`,
    ),
  ],
  [
    '5.3.0',
    listed(
      `mailer error | local configuration error | system error | internal error | local error`,
    ),
  ],
  [
    '5.3.0',
    listed('child process of | could not exec command | delivery to file forbidden'),
    'of servers',
  ],
]
