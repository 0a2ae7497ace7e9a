import { hasOne, listed, oneLine } from '../phrases.ts'

// Who writes as a mail server or as another program. A person may have almost any address, so those of programs are matched
// whole; names of programs stand at the beginning of a display name, and those of filters anywhere in it.

const server =
  /^(?:mailer[-_.]?daemon|mail[-_.]?daemon|mdaemon|daemon|post[-_.]?master|postmast|postmester|postmestari|mail[-_.]?delivery(?:[-_.](?:sub)?system)?|mailsystem|mail[-_.]system|system[-_.]?mailer|returned[-_.]?mail|undeliverable|undelivered|non[-_.]?delivery|dsn|ndr|no[-_.]?reply[-_.]daemon|microsoftexchange[0-9a-f]{16,40})$|[-_](?:daemon|postmaster)$/i
const bounces = /^(?:bounced?|bounces)(?:[-+_.=].{0,300})?$|[-+_=]bounces?$|\.bounces$/i
// People and firms have such a name as well: bounce.kyle, bounce_house.
const named = /^bounce[._]\p{L}{2,20}$/iu

const localPart = (address: string): string => {
  const at = address.lastIndexOf('@')
  return (at < 0 ? address : address.slice(0, at)).slice(0, 320)
}
/** The local part, or that of the address that a gateway took into its own (postmaster@client.example@relay.example). */
const innermost = (address: string): string => localPart(address).split(/\\?[@%]/, 1)[0] as string

/** Whether an address is one that mail servers write from. */
export const isServer = (address: string): boolean => server.test(innermost(address))

/** The same, or an address to which bounces come. */
export function isDaemon(address: string): boolean {
  const local = localPart(address)
  return isServer(address) || (bounces.test(local) && !named.test(local))
}

// Display names, with hyphens, dots and underlines as spaces.
const servers =
  listed(`mail deliver system | mail deliver subsystem | mail delivery system | mail delivery subsystem
  mail delivery service | mail transfer | courier mail server | mailer daemon | delivery subsystem | delivery agent
  delivery notification | internet mail delivery | network mailer | microsoft outlook | mail system | mail server
  mailserver | mail router
  mail relay | mail gateway | mailgateway | mailgate | e mail system | e mail gateway | email gateway | smtp gateway
  smtp server | cc mail link | message failure | mail routing | returned mail | undeliverable mail | undeliverable message
  sistema de correo | servidor de correo | sistema de e mail | servidor de e mail | sistema di posta
  système de messagerie | serveur de messagerie | mailsysteem | poštovní systém | poštovní server | system pocztowy
  почтовая система | почтовый сервер`)
const keepers =
  listed(`mail administrator | mail system administrator | mailadministrator | e mail administrator
  email administrator | mail admin | system administrator | systemadministrator | systembeheerder | system attendant
  administrateur système | administrateur de messagerie | administrador del sistema | administrador de correo
  administrador do sistema | administrador de e mail | administrador de email | amministratore di sistema
  администратор почты | postmaster | quota manager | システム管理者 | 系统管理员 | 系統管理員 | 시스템 관리자`)
const listsAndFaxes =
  listed(`listserv | list server | l soft list server | majordomo | ezmlm | ecartis | listproc | lyris listmanager
  lyris list manager | hylafax | the hylafax | fax server | faxserver | fax gateway
  rightfax e mail gateway | rightfax email gateway | rightfax gateway | rightfax server`)
const programs = [
  ...listsAndFaxes,
  ...listed(`sms gateway | mms gateway | interscan | groupshield | mailmarshal | scanmail | antigen for | amavis
  amavisd | puremessage
  ironport | mimecast | symantec mail | symantec email | symantec messaging | trend micro email | trend micro mail
  trend micro messaging | mcafee email | mcafee mail | emanager | webshield | mailessentials | mailsecurity
  gfi mailessentials | gfi mailsecurity | policy patrol`),
]
// These stand anywhere in a name, also in that of a firm.
const filters =
  listed(`antivirus | anti virus | virus scanner | virusscanner | virusscan | virus alert | virus filter | viruswall
  mail scanner | mailscanner | antispam | anti spam | spam filter | spamfilter | spam firewall | spam blocker
  spamarrest | spam arrest | content filter | contentfilter | attachment filter | mailsweeper | mimesweeper | websense
  nav for`)
// People who work for such a service may write under its name as well.
const services =
  listed(`mail service | e mail service | email service | mail services | webmail | e mail dienst | email dienst | maildienst
  service de messagerie | service messagerie | servicio de correo | servicio de correo electrónico | servicio de e mail
  servizio di posta | servizio di posta elettronica | servizio mail | serviço de correio | serviço de e mail | serviço de email
  e maildienst | usługa pocztowa | poczta elektroniczna | služba elektronické pošty | почтовая служба | 邮件服务 | メールサービス`)
const eastern =
  listed(`メール管理者 | メール配信管理 | メール配信システム | メールシステム | メールサーバ | 邮件系统 | 郵件系統
  邮件管理员 | 郵件管理員 | 메일 관리자 | 메일관리자 | 메일 시스템 | 메일시스템 | 메일 서버 | 메일서버`)

const bareName = (name: string): string =>
  ` ${oneLine(name.slice(0, 100))
    .replaceAll(/["'()\-_.:\d\s]+/g, ' ')
    .trim()} `

const beginsWithOne = (words: string, names: readonly string[]): boolean =>
  names.some((one) => words.startsWith(` ${one} `))

/** Whether a display name is one that mail servers and lists give themselves. A person may have chosen it. */
export function isDaemonName(name: string): boolean {
  const words = bareName(name)
  return (
    [servers, keepers, programs].some((names) => beginsWithOne(words, names)) ||
    hasOne(words, eastern)
  )
}

/** Whether a display name is that of a service for mail, under which a person may answer questions. */
export const isServiceName = (name: string): boolean => beginsWithOne(bareName(name), services)

/** Whether a display name is that of a filter, or of a firm that makes one. */
export const isFilterName = (name: string): boolean => {
  const words = bareName(name)
  return filters.some((one) => words.includes(` ${one} `))
}

const listOrFax =
  /^(?:listserv|majordomo|mailman|ezmlm|sympa|mlmmj|ecartis|listproc|hylafax|fax[-_.]?(?:server|gateway))\d{0,3}$/i
const program =
  /^(?:emanager|owner-.{1,100}|mimesweeper|mail[-_.]?(?:sweeper|marshal|scanner|gate|gateway|server|relay|admin|administrator|error)|err(?:or)?[-_.]?mail|amavisd?|clamav|interscan|scanmail|antigen[-_].{1,60}|groupshield|anti[-_.]?(?:virus|spam)|virus[-_.]?(?:alert|scan|scanner|wall|filter)|(?:spam|content)[-_.]?filter|system[-_.]?attendant|mmdf|[sm]ms(?:[-_.]?(?:gateway|gw|center|centre))?)\d{0,3}$/i

/** Whether a mail server or a list writes under such a name or address. A person may have chosen either. */
export const isProgram = (one: { name: string; address: string }): boolean =>
  isListOrFax(one) ||
  isDaemonName(one.name) ||
  program.test(localPart(one.address)) ||
  isProductName(localPart(one.address))

/**
 * The same of programs under whose names nobody works: those of lists and faxes. The owner of a list writes under a name of their
 * own.
 */
export const isListOrFax = ({ name, address }: { name: string; address: string }): boolean => {
  const words = bareName(name)
  return (
    beginsWithOne(words, listsAndFaxes) ||
    / fax (?:server|gateway) $/.test(words) ||
    listOrFax.test(localPart(address)) ||
    (name === '' && /^owner-./i.test(address))
  )
}

/** Programs also write under their whole name as an address, with underlines or hyphens for spaces. */
const isProductName = (local: string): boolean => {
  const words = bareName(local)
  return programs.some((one) => one.includes(' ') && words.startsWith(` ${one} `))
}

const unattended =
  /^(?:(?:do[-_.]?)?not?[-_.]?reply|donot[-_.]?reply|do[-_.]?not[-_.]?answer|noanswer|no[-_.]?response|nicht[-_.]?antworten|keine[-_.]?antwort|ne[-_.]?pas[-_.]?repondre|no[-_.]?responder|non[-_.]?rispondere|nao[-_.]?responda|niet[-_.]?beantwoorden|nie[-_.]?odpowiadaj|neodpovidat|neodpovidejte|ikke[-_.]?svar|svar[-_.]?ikke|svara[-_.]?(?:ej|inte)|inte[-_.]?svara|ala[-_.]?vastaa|no[-_.]?contestar|auto(?:matic|mated)?[-_.]?(?:reply|response|mailer)|notifications?|notifier|alerts?)(?:[-_.+].{0,100})?$|[-_.+](?:do[-_.]?not[-_.]?reply|no[-_]?reply)$/i

/** Whether nobody reads what is sent to an address, as it says itself. */
export const isUnattended = (address: string): boolean => unattended.test(localPart(address))

const desk =
  /^(?:[\w-]{1,40}[-_.])?(?:abuse|fbl|uce|ube|scomp|meiwaku|feedback[-_]?loop)(?:[-_.][\w-]{1,40})?$|^spam(?:[-_.]?(?:report|reports|complaints?|desk))?$/i
// Those who pass complaints on for others.
const reporters =
  /@(?:[\w-]{1,63}\.){0,5}(?:abuse\.[\w.-]{2,80}|spamcop\.net|abusix\.(?:com|org)|signal-spam\.fr|dekyo\.or\.jp|abuse\.net|x-arf\.org)$/i
// Those of providers from which such reports come.
const feedback = /^(?:staff|abuse|fbl|feedback|complaints?|scomp|arf)(?:[-_.+\d].{0,100})?$/i
export const isOfReports = (address: string): boolean => feedback.test(localPart(address))
const deskName = /\babuse[- ](?:team|desk|department|dept|office|abteilung|response)\b/i

/** Whether somebody writes who handles complaints about mail for a provider. */
export const isAbuseDesk = ({ name, address }: { name: string; address: string }): boolean =>
  desk.test(localPart(address)) ||
  reporters.test(address.slice(-200)) ||
  deskName.test(name.slice(0, 100))
