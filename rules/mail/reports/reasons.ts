import { asciiOf, listed } from '../phrases.ts'

// The reasons of servers in fixed phrases. The first entry that fits decides, so that what may pass comes before what is for
// good. Those of servers alone are not looked for in mail that a person may have written. These are tables; that makes the file
// longer than 300 lines.

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

// The reasons of servers in the words of many languages: what is wrong, with what it is wrong with. They count where no fixed
// phrase does, in the same order: what may pass comes before what is for good.

// A full stop ends a sentence only before a space, since addresses have full stops too. All gaps are short, so that the patterns
// stay linear.
const within = (first: string, gap: number, second: string) =>
  new RegExp(`(?:${inAscii(first)})(?:[^.;!?]|\\.(?=\\S)){0,${gap}}?(?:${inAscii(second)})`, 'u')
// German programs may write ae for ä.
const inAscii = (words: string) =>
  words.replace(/[äöü]/g, (letter) => `(?:${letter}|${asciiOf(letter)})`)

type Pattern = [code: string, pattern: RegExp, ofServers?: 'of servers']

const anyOf = (code: string, patterns: RegExp[], ...of: ['of servers'?]): Pattern[] =>
  patterns.map((pattern) => [code, pattern, ...of])

// Servers say the same of whoever sends, and of the server that does.
const sender = '\\b(?:sender|from|return|helo|ehlo|relay)\\b'
const gap = '(?:[^.;!?]|\\.(?=\\S)){0,40}'
const notOfSender = (words: string) =>
  new RegExp(`\\b(?=is )(?<!${sender}${gap})(?!${gap}${sender})${words}`, 'u')

/** Those of servers alone are not looked for in mail that a person may have written. */
export const patterns: Pattern[] = [
  ...anyOf('5.2.2', [
    within(
      '\\b(?:mail ?box|mailfile|mail file|inbox|account|quota|storage|disk)\\b',
      60,
      '\\b(?:full|exceeded|exceeds|over (?:its |the )?limit|space not enough|not enough space)\\b',
    ),
    within('postfach|speicher|mailbox', 60, '\\bvoll\\b|überfüllt|überschritten|erschöpft'),
    within('boîte|boite|base courrier|messagerie|quota', 60, 'plein|satur[ée]|d[ée]pass[ée]'),
    within('buzón|casilla|bandeja|cuota', 60, 'llen[oa]|excedid|supera|sobrepasad'),
    within('casella|quota|posta', 60, 'pien[ao]|superat|esaurit'),
    within('caixa|quota|cota', 60, 'chei[ao]|lotad|excedid'),
    within('postvak|mailbox|quotum', 60, '\\bvol\\b|overschreden'),
    within('skrzynk|konto|limit', 60, 'pełn|przekroczon'),
    within('ящик|квот', 60, 'переполнен|превышен|заполнен'),
    within('邮箱|郵箱|信箱|空间|容量', 12, '已满|已滿|不足|超出|超过'),
    within('ボックス|容量|受信箱', 20, 'いっぱい|一杯|満杯|超え|超過|オーバー'),
    within('용량|편지함|메일함', 15, '초과|부족|가득'),
    within('schránk|kvót', 60, 'plná|překročen|prekročen'),
    within('kota|posta kutusu', 60, 'dolu|doldu|aşıldı|aştı'),
    within('fiók|kvóta', 60, 'megtelt|betelt|túllép'),
    within('صندوق|الحصة|السعة', 60, 'ممتلئ|امتلأ|تجاوز'),
    within('صندوق|حجم|ظرفیت', 60, 'پر است|پر شده'),
    within('תיבת|תיבה|מכסה', 60, 'מלאה|חרגה|נחרגה'),
    within('kotak surat|kotak masuk|kuota', 60, 'penuh|melebihi'),
    within('hộp thư|dung lượng', 60, 'đầy|vượt'),
    within('γραμματοκιβώτιο|όριο', 60, 'γεμάτο|υπέρβαση|ξεπεράστηκε'),
    within('căsuța|cutia|cota', 60, 'plină|depășit'),
    within('поштова|скринька|квот', 60, 'переповнен|заповнен|перевищен'),
    within('brevlåda|postlåda|postkasse|postboks|innboks|indbakke', 60, '\\bfull'),
  ]),
  ...anyOf('5.2.1', [
    within(
      '\\b(?:user|account|mail ?box|recipient|address)\\b',
      60,
      '\\b(?:disabled|deactivated|inactive|suspended|closed|locked|expired|terminated|discontinued)\\b',
    ),
    within('konto|postfach|benutzer', 60, 'deaktiviert|gesperrt|stillgelegt'),
    within('compte|boîte|adresse', 60, 'désactivé|fermé|suspendu'),
    within('cuenta|buzón|usuario', 60, 'desactivad|suspendid|bloquead'),
    within('account|casella|utente', 60, 'disattivat|sospes'),
    within('conta|caixa|usuário', 60, 'desativad|suspens|bloquead'),
    within('ящик|учетная запись|пользовател', 60, 'заблокирован|отключен'),
    /휴면 ?(?:계정|상태|회원)/u,
  ]),
  ...anyOf('5.1.2', [
    within(
      "\\b(?:can ?not|can't|could ?not|couldn't|unable to|failed to) (?:resolve|find|locate|look ?up)\\b",
      40,
      '\\b(?:host|domain|mx|server|exchanger)',
    ),
    within(
      '\\b(?:host|domain|dns|mx)\\b',
      50,
      "\\b(?:not found|unknown|(?:does not|doesn't) exist|lookup fail|no records?)",
    ),
    within('domain|domäne', 40, 'nicht gefunden|unbekannt|existiert nicht'),
    within('domaine', 40, "introuvable|inconnu|n'existe pas"),
    within('dominio|domínio', 40, 'no existe|inesistente|inexistente|desconocid|desconhecid'),
    within('домен', 40, 'не найден|не существует'),
  ]),
  ...anyOf('5.1.6', [
    /\b(?:user|recipient|mailbox) has moved\b|\bhas moved; please try\b/u,
    within('\\baddress\\b', 60, '\\b(?:has (?:been )?(?:changed|moved)|no longer)\\b'),
  ]),
  ...anyOf('5.1.1', [
    within(
      '\\b(?:mailing|distribution) ?list\\b|\\bgroup (?:that )?you tried to contact\\b|\\blist \\S{1,64}@\\S{1,190}',
      60,
      "\\b(?:does not|doesn't|no longer) exists?\\b",
    ),
    within(
      '\\b(?:user(?:name|id)?(?:\\(s\\))?s?|accounts?|mail ?box(?:es)?|recipients?|address(?:es|ee)?|alias)\\b',
      60,
      "\\b(?:(?:do(?:es)? not|do(?:es)?n't|not|no longer) exist|unknown|not found|invalid|not valid|not known|non-?existent)",
    ),
    within(
      'benutzer|empfänger|adresse|konto|postfach|teilnehmer',
      60,
      'unbekannt|existiert nicht|nicht bekannt|nicht gefunden|nicht vorhanden|nicht (?:im|in) (?:\\S{1,30} ){0,3}?\\S{0,30}verzeichnis|nicht im (?:öffentlichen )?adressbuch|ungültig|gibt es nicht',
    ),
    within(
      'utilisateur|destinataire|adresse|compte|boîte|boite',
      60,
      "inconnu|inexistant|n'existe (?:pas|plus)|introuvable|invalide|n'est pas reconnu|n'est plus (?:valide|valable|utilisée?|active?|attribuée?)",
    ),
    within(
      'usuario|destinatario|dirección|cuenta|buzón|casilla',
      60,
      'desconocid|no existe|inexistente|no encontrad|no válid|inválid',
    ),
    within(
      'utente|destinatario|indirizzo|account|casella',
      60,
      'sconosciut|inesistente|non esiste|non trovat|non valid',
    ),
    within(
      'usuário|utilizador|destinatário|endereço|conta|caixa',
      60,
      'desconhecid|não existe|inexistente|não encontrad|inválid',
    ),
    within(
      'gebruiker|ontvanger|geadresseerde|adres|mailbox|postvak',
      60,
      'onbekend|bestaat niet|niet gevonden|ongeldig',
    ),
    within('użytkownik|adres|odbiorc|konto|skrzynk', 60, 'nieznan|nie istnieje|nieprawidłow'),
    /brak (?:takiego )?(?:użytkownika|adresu|konta|skrzynki)/u,
    within(
      'пользовател|адрес|получател|ящик',
      60,
      'не найден|не существует|неизвест|отсутству|недействител',
    ),
    /нет такого (?:пользователя|адреса|ящика|адресата)/u,
    within(
      'ユーザ|アドレス|宛先|あて先|受信者|メールボックス',
      40,
      '存在しま|存在しな|見つか|不明|登録されていません|間違',
    ),
    within('用户|用戶|地址|邮箱|郵箱|收件人|账号|帳號|信箱', 40, '不存在|找不到|无效|無效|错误'),
    /존재하지 않|없는 (?:주소|사용자|메일)|탈퇴한 (?:회원|사용자)/u,
    within(
      'uživatel|schránk|adres|příjemc|používateľ|príjemc',
      60,
      'neexistuj|neznám|nenalezen|nenájden',
    ),
    within('kullanıcı|alıcı|adres|posta kutusu', 60, 'bulunamadı|mevcut değil|bilinmiyor|geçersiz'),
    within('felhasználó|címzett|postafiók', 60, 'nem létezik|ismeretlen|nem található'),
    within('alamat|pengguna|penerima', 60, 'tidak ditemukan|tidak dikenal'),
    within('địa chỉ|người nhận|người dùng', 60, 'không tồn tại|không tìm thấy'),
    within('المستخدم|العنوان|المستلم', 60, 'غير موجود|غير معروف'),
    within('گیرنده|کاربر|نشانی|آدرس', 60, 'وجود ندارد|یافت نشد|ناشناخته'),
    within('הנמען|המשתמש|הכתובת|כתובת', 60, 'לא קיים|לא קיימת|לא נמצא|לא ידוע'),
    within('χρήστης|παραλήπτης|διεύθυνση', 60, 'δεν υπάρχει|δεν βρέθηκε|άγνωστ'),
    within('utilizatorul|destinatarul|adresa', 60, 'nu există|nu a fost găsit|necunoscut'),
    within('користувач|адрес|отримувач|одержувач', 60, 'не існує|не знайден|невідом'),
    within(
      'adress|användare|mottagare|mottaker|modtager|bruker|bruger',
      60,
      'hittades inte|kunde inte hittas|finns inte|okänd|blev ikke fundet|findes ikke|finnes ikke|ukendt|ukjent',
    ),
  ]),
  ...anyOf('5.6.1', [
    within(
      '\\b(?:number|phone|handset|device|mobile|subscriber|recipient)\\b',
      60,
      "\\b(?:does not|doesn't|do not|don't|cannot|can not|can't|not able to|unable to) (?:support|receive|accept|display|handle) (?:multimedia|mms|picture|media|text|sms)",
    ),
    within('nummer|handy|gerät|teilnehmer', 60, '(?:keine|nicht) .{0,20}(?:mms|multimedia|sms)'),
    within(
      'número|teléfono|móvil|numero|telefono|telemóvel|numéro|mobile',
      60,
      '(?:no|non|não|ne) (?:admite|soporta|acepta|supporta|suporta|aceita|prend pas en charge|accepte pas) .{0,20}(?:mms|multim)',
    ),
  ]),
  ...anyOf('4.4.7', [/failed (?:after )?\d{1,4} (?:attempts|tries|times)/u]),
  ...anyOf(
    '5.2.2',
    [
      within('\\b(?:mail ?box|quota)\\b', 60, '\\breached (?:its|the|their) (?:max|limit|quota)'),
      /\baccount (?:has )?reached (?:its|the|their) (?:maximum (?:size|space|storage)|limit of (?:space|storage))\b/u,
      within('θυρίδα|όριο', 60, 'γεμάτ|ξεπεράσει'),
    ],
    'of servers',
  ),
  // A filter for many firms (McAfee, before it MXLogic) says no more.
  ...anyOf('5.7.1', [/\bdenied (?:\[[^\]]{1,80}\] ){0,3}\(mode:/u], 'of servers'),
  // A server that is not told of a domain takes its mail for some that it should pass on.
  ...anyOf(
    '5.7.1',
    [
      within('\\b(?:use|using) (?:me|us|this server)\\b', 100, '\\bas an? (?:open )?relay\\b'),
      /\b(?:not|n't) (?:act|serve|work) as an? (?:open )?relay\b/u,
    ],
    'of servers',
  ),
  ...anyOf(
    '5.2.1',
    [
      /\b(?:account|mail ?box) (?:(?:has been|was|is) )?cancell?ed\b/u,
      /\b(?:inactive|deactivated|disabled|suspended|expired|closed) (?:account|mail ?box|user)\b/u,
      /\brejected: inactive\b/u,
      within('用户|用戶|账号|帳號|邮箱|郵箱', 12, '未激活|未启用|未啟用'),
      within('\\bmail ?boxes\\b', 60, '\\b(?:disabled|closed|locked|terminated|discontinued)\\b'),
    ],
    'of servers',
  ),
  ...anyOf(
    '5.1.2',
    [
      within(
        '\\b(?:host|domain|dns|mx)\\b',
        50,
        "\\b(?:could ?n(?:o|')t be (?:found|resolved)|(?:does not|doesn't) (?:appear|seem) to (?:exist|be registered))",
      ),
    ],
    'of servers',
  ),
  ...anyOf(
    '5.1.1',
    [
      within('用户|用戶', 12, '未开通|未開通'),
      within(
        '\\brcpt\\b(?! to)',
        60,
        "\\b(?:(?:does not|doesn't|not) exist|unknown|not found|invalid)\\b",
      ),
      within('\\b(?:user|recipient|mail ?box)\\b', 60, '\\bnot set up\\b(?! (?:for|to) send)'),
      within('\\bsubscriber\\b', 40, '\\b(?:not (?:provisioned|found|registered)|unknown|invalid)'),
      notOfSender(
        'is not a valid (?:[\\w-]{1,30} ){0,4}?(?:address|mailbox|user|recipient|subscriber|number)\\b',
      ),
      /\bunrecogni[sz]ed[ -]o\/?r[ -]name|\bo\/r (?:address|name) (?:is )?(?:unrecogni[sz]ed|unknown)/u,
      within(
        'benutzer|empfänger|adresse|konto|postfach|teilnehmer',
        100,
        'existiert (?:auf|bei|in) \\S{1,20} \\S{1,20} nicht|nicht erkannt|nicht (?:im|in) (?:\\S{1,30} ){0,3}?\\S{0,30}verzeichnis|nicht gibt|nicht eingerichtet',
      ),
      /kein(?:en)? (?:benutzer|empfänger|postfach|konto|mailbox)(?: für (?:diese |die )?adresse)?(?: \S{1,200})? (?:gefunden|vorhanden|bekannt|zuordenbar)/u,
      /keine mailbox mit diesem namen/u,
      within('utilisateur|destinataire|adresse', 100, "ne figure pas|n'est pas répertorié"),
      within('usuario|destinatario|dirección', 100, 'no figura|no aparece en|no está listado'),
      within('utente|destinatario|indirizzo', 100, 'non (?:è )?(?:elencat|presente|incluso)'),
      within('usuário|destinatário|endereço', 100, 'não (?:está )?(?:listad|consta)'),
      within('ユーザ|アドレス|宛先', 100, 'ディレクトリにあり|アドレス帳にあり'),
    ],
    'of servers',
  ),
]

/** How servers refuse that say no more, which proves nothing about an address. */
export const refusals: RegExp[] = [
  /\b(?:access|permission|connection|content) (?:is |was )?denied\b|\brejected by (?:the )?recipients?\b/u,
  /\b(?:message|mail|connection|sender)(?: \S{1,60})? (?:is |was |has been )?(?:rejected|refused|denied)\b/u,
  /\bmessages from \S{1,60} (?:weren't|were not) sent\b/u,
  new RegExp(`(?!\\bfrom)${sender}${gap}\\bis not a valid\\b`, 'u'),
  new RegExp(`\\bmail from\\b${gap}\\bis not a valid\\b`, 'u'),
  new RegExp(`\\bis not a valid\\b${gap}${sender}`, 'u'),
  /\b(?:invalid|bad|rejected|forged|fake) (?:helo|ehlo)\b|\b(?:helo|ehlo)(?:\/ehlo)? (?:name |command )?(?:is |was )?(?:invalid|rejected)\b/u,
]
