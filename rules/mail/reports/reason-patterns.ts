import { asciiOf } from './phrases.ts'

// The reasons of servers in the words of many languages: what is wrong, with what it is wrong with. They count where no fixed
// phrase does (reasons.ts), in its order: what may pass comes before what is for good.

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
