// Where the mailboxes of the providers are whose customers we meet, as their own help pages say. One file, because it is one
// table: the servers of a provider, the domains and the MX records by which it is known, and what its customers have to do before
// another program may log in.

/** A mail server as it is found: `secure` is TLS from the first byte, otherwise STARTTLS. */
export type FoundServer = {
  host: string
  port: number
  secure: boolean
  /** IMAP only: the provider itself files in Sent whatever is sent over SMTP. */
  filesSent?: true
}

export type Provider = {
  id: string
  /** As its customers call it. */
  name: string
  /** Null where it lets no other program in. */
  imap: FoundServer | null
  smtp: FoundServer | null
  /** The word by which the account of a customer logs in with the consent of its owner. */
  oauth?: 'google' | 'microsoft'
  /**
   * Whether its customers need a password of their own for other programs: `always`, or as soon as they use two-factor login
   * (`two_factor`).
   */
  appPassword?: 'always' | 'two_factor'
  /** Its customers have to switch on IMAP before another program may log in. */
  switchOn?: true
  /** Its page about how other programs log in. */
  help?: string
}

type Row = Provider & {
  /** Under which it gives mailboxes to anybody. */
  domains: readonly string[]
  /** What the names of the hosts end with that take the mail of its customers' domains. */
  mx: readonly string[]
}

const tls = (host: string, port: 993 | 465): FoundServer => ({ host, port, secure: true })
const startTls = (host: string): FoundServer => ({ host, port: 587, secure: false })

type Servers = readonly [imap: string, smtp: string, submission?: 587]
type More = Pick<Provider, 'oauth' | 'appPassword' | 'switchOn' | 'help'> & { filesSent?: true }

const row = (
  id: string,
  name: string,
  servers: Servers | null,
  known: { domains?: string; mx?: string },
  { filesSent, ...more }: More = {},
): Row => ({
  id,
  name,
  imap: servers && { ...tls(servers[0], 993), ...(filesSent && { filesSent }) },
  smtp: servers && (servers[2] ? startTls(servers[1]) : tls(servers[1], 465)),
  domains: known.domains?.split(/\s+/) ?? [],
  mx: known.mx?.split(/\s+/) ?? [],
  ...more,
})

const always = { appPassword: 'always' } as const

const rows: readonly Row[] = [
  row(
    'google',
    'Google',
    ['imap.gmail.com', 'smtp.gmail.com'],
    { domains: 'gmail.com googlemail.com', mx: 'google.com googlemail.com' },
    {
      ...always,
      oauth: 'google',
      filesSent: true,
      help: 'https://support.google.com/accounts/answer/185833',
    },
  ),
  row(
    'microsoft',
    'Microsoft',
    ['outlook.office365.com', 'smtp.office365.com', 587],
    {
      domains: `outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.at outlook.dk outlook.jp outlook.co.id outlook.com.br hotmail.com
hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es hotmail.nl hotmail.se hotmail.com.br live.com live.de live.fr live.it live.co.uk
live.nl live.se live.at msn.com passport.com windowslive.com`,
      mx: 'protection.outlook.com mx.microsoft office365.us',
    },
    {
      oauth: 'microsoft',
      filesSent: true,
      help: 'https://support.microsoft.com/office/pop-imap-and-smtp-settings-for-outlook-com-d088b986-291d-42b8-9564-9c414e2aa040',
    },
  ),
  row(
    'apple',
    'Apple iCloud',
    ['imap.mail.me.com', 'smtp.mail.me.com', 587],
    { domains: 'icloud.com me.com mac.com', mx: 'mail.icloud.com icloud.com' },
    { ...always, help: 'https://support.apple.com/102654' },
  ),
  row(
    'yahoo',
    'Yahoo',
    ['imap.mail.yahoo.com', 'smtp.mail.yahoo.com'],
    {
      domains: `yahoo.com yahoo.co.uk yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.co.in yahoo.in yahoo.ca yahoo.com.br yahoo.com.au yahoo.com.mx
yahoo.com.ar yahoo.co.id yahoo.ie yahoo.gr yahoo.pl yahoo.ro yahoo.se yahoo.no yahoo.dk ymail.com rocketmail.com myyahoo.com`,
      mx: 'am0.yahoodns.net yahoodns.net biz.mail.yahoo.com',
    },
    { ...always, help: 'https://help.yahoo.com/kb/SLN15241.html' },
  ),
  row(
    'aol',
    'AOL',
    ['imap.aol.com', 'smtp.aol.com'],
    { domains: 'aol.com aol.de aol.fr aol.co.uk aim.com verizon.net', mx: 'aol.com' },
    { ...always, help: 'https://help.aol.com/articles/Create-and-manage-app-password' },
  ),
  row(
    'gmx',
    'GMX',
    ['imap.gmx.net', 'mail.gmx.net'],
    { domains: 'gmx.de gmx.net gmx.at gmx.ch gmx.eu', mx: 'gmx.net' },
    {
      appPassword: 'two_factor',
      switchOn: true,
      help: 'https://hilfe.gmx.net/pop-imap/einschalten.html',
    },
  ),
  row(
    'gmx-com',
    'GMX',
    ['imap.gmx.com', 'mail.gmx.com'],
    {
      domains:
        'gmx.com gmx.us gmx.co.uk gmx.fr gmx.es gmx.it gmx.li gmx.tm gmx.info gmx.biz gmx.org gmx.ie gmx.se gmx.pt',
    },
    {
      appPassword: 'two_factor',
      switchOn: true,
      help: 'https://support.gmx.com/pop-imap/toggle.html',
    },
  ),
  row(
    'webde',
    'WEB.DE',
    ['imap.web.de', 'smtp.web.de'],
    { domains: 'web.de email.de', mx: 'web.de' },
    {
      appPassword: 'two_factor',
      switchOn: true,
      help: 'https://hilfe.web.de/pop-imap/einschalten.html',
    },
  ),
  row(
    'mailcom',
    'mail.com',
    ['imap.mail.com', 'smtp.mail.com'],
    { domains: 'mail.com email.com usa.com post.com europe.com', mx: 'mail.com' },
    {
      appPassword: 'two_factor',
      switchOn: true,
      help: 'https://support.mail.com/pop-imap/toggle.html',
    },
  ),
  row(
    'telekom',
    'Telekom',
    ['secureimap.t-online.de', 'securesmtp.t-online.de'],
    { domains: 't-online.de magenta.de', mx: 't-online.de' },
    { ...always, help: 'https://www.telekom.de/hilfe/apps-dienste/e-mail/passwort' },
  ),
  row(
    'freenet',
    'freenet',
    ['mx.freenet.de', 'mx.freenet.de'],
    { domains: 'freenet.de', mx: 'freenet.de' },
    { switchOn: true },
  ),
  row('maildotde', 'mail.de', ['imap.mail.de', 'smtp.mail.de'], { domains: 'mail.de' }),
  row(
    'fastmail',
    'Fastmail',
    ['imap.fastmail.com', 'smtp.fastmail.com'],
    { domains: 'fastmail.com fastmail.fm sent.com', mx: 'messagingengine.com' },
    { ...always, help: 'https://www.fastmail.help/hc/en-us/articles/360058752854' },
  ),
  row(
    'zoho-eu',
    'Zoho',
    ['imap.zoho.eu', 'smtp.zoho.eu'],
    { domains: 'zoho.eu zohomail.eu' },
    { appPassword: 'two_factor', switchOn: true },
  ),
  row(
    'zoho',
    'Zoho',
    ['imap.zoho.com', 'smtp.zoho.com'],
    { domains: 'zoho.com zohomail.com' },
    {
      appPassword: 'two_factor',
      switchOn: true,
      help: 'https://www.zoho.com/mail/help/imap-access.html',
    },
  ),
  row(
    'zoho-eu-work',
    'Zoho',
    ['imappro.zoho.eu', 'smtppro.zoho.eu'],
    { mx: 'zoho.eu' },
    { appPassword: 'two_factor', switchOn: true },
  ),
  row(
    'zoho-in-work',
    'Zoho',
    ['imappro.zoho.in', 'smtppro.zoho.in'],
    { mx: 'zoho.in' },
    { appPassword: 'two_factor', switchOn: true },
  ),
  row(
    'zoho-work',
    'Zoho',
    ['imappro.zoho.com', 'smtppro.zoho.com'],
    { mx: 'zoho.com zohomail.com' },
    { appPassword: 'two_factor', switchOn: true },
  ),
  row('ionos', 'IONOS', ['imap.ionos.de', 'smtp.ionos.de'], {
    domains: 'online.de onlinehome.de',
    mx: 'kundenserver.de ionos.de 1und1.de',
  }),
  row('ionos-com', 'IONOS', ['imap.ionos.com', 'smtp.ionos.com'], { mx: 'ionos.com 1and1.com' }),
  row('ionos-uk', 'IONOS', ['imap.ionos.co.uk', 'smtp.ionos.co.uk'], {
    mx: 'ionos.co.uk 1and1.co.uk',
  }),
  row('ionos-fr', 'IONOS', ['imap.ionos.fr', 'smtp.ionos.fr'], { mx: 'ionos.fr 1and1.fr' }),
  row('ionos-es', 'IONOS', ['imap.ionos.es', 'smtp.ionos.es'], { mx: 'ionos.es 1and1.es' }),
  row('strato', 'STRATO', ['imap.strato.de', 'smtp.strato.de'], { mx: 'rzone.de strato.de' }),
  row('ovh', 'OVHcloud', ['ssl0.ovh.net', 'ssl0.ovh.net'], { mx: 'mail.ovh.net ovh.net' }),
  row('gandi', 'Gandi', ['mail.gandi.net', 'mail.gandi.net'], { mx: 'mail.gandi.net' }),
  row(
    'infomaniak',
    'Infomaniak',
    ['mail.infomaniak.com', 'mail.infomaniak.com'],
    { domains: 'ik.me ikmail.com etik.com', mx: 'infomaniak.ch infomaniak.com' },
    always,
  ),
  row('mailboxorg', 'mailbox.org', ['imap.mailbox.org', 'smtp.mailbox.org'], {
    domains: 'mailbox.org',
    mx: 'mailbox.org',
  }),
  row('posteo', 'Posteo', ['posteo.de', 'posteo.de'], {
    domains: 'posteo.de posteo.net posteo.org posteo.eu posteo.at posteo.ch posteo.us',
  }),
  row(
    'yandex',
    'Yandex',
    ['imap.yandex.com', 'smtp.yandex.com'],
    {
      domains: 'yandex.ru yandex.com yandex.by yandex.kz yandex.com.tr yandex.ua ya.ru narod.ru',
      mx: 'yandex.net yandex.ru',
    },
    {
      ...always,
      switchOn: true,
      help: 'https://yandex.com/support/mail/mail-clients/others.html',
    },
  ),
  row(
    'mailru',
    'Mail.ru',
    ['imap.mail.ru', 'smtp.mail.ru'],
    { domains: 'mail.ru inbox.ru list.ru bk.ru internet.ru', mx: 'mail.ru' },
    { ...always, help: 'https://help.mail.ru/mail/security/protection/external/' },
  ),
  row('domainfactory', 'DomainFactory', ['sslin.df.eu', 'sslout.df.eu'], { mx: 'ispgateway.de' }),
  row('hetzner', 'Hetzner', ['mail.your-server.de', 'mail.your-server.de'], {
    mx: 'your-server.de',
  }),
  row('hostinger', 'Hostinger', ['imap.hostinger.com', 'smtp.hostinger.com'], {
    mx: 'hostinger.com',
  }),
  row('titan', 'Titan', ['imap.titan.email', 'smtp.titan.email'], { mx: 'titan.email' }),
  row('privateemail', 'Private Email', ['mail.privateemail.com', 'mail.privateemail.com'], {
    mx: 'privateemail.com',
  }),
  row('godaddy', 'GoDaddy', ['imap.secureserver.net', 'smtpout.secureserver.net'], {
    mx: 'secureserver.net',
  }),
  row('rackspace', 'Rackspace', ['secure.emailsrvr.com', 'secure.emailsrvr.com'], {
    mx: 'emailsrvr.com',
  }),
  row('migadu', 'Migadu', ['imap.migadu.com', 'smtp.migadu.com'], { mx: 'migadu.com' }),
  row('runbox', 'Runbox', ['mail.runbox.com', 'mail.runbox.com'], {
    domains: 'runbox.com runbox.no',
    mx: 'runbox.com',
  }),
  row('orange', 'Orange', ['imap.orange.fr', 'smtp.orange.fr'], {
    domains: 'orange.fr wanadoo.fr',
  }),
  row('free', 'Free', ['imap.free.fr', 'smtp.free.fr'], { domains: 'free.fr' }),
  row('laposte', 'La Poste', ['imap.laposte.net', 'smtp.laposte.net'], { domains: 'laposte.net' }),
  row('sfr', 'SFR', ['imap.sfr.fr', 'smtp.sfr.fr'], { domains: 'sfr.fr neuf.fr' }),
  row('libero', 'Libero', ['imapmail.libero.it', 'smtp.libero.it'], {
    domains: 'libero.it inwind.it blu.it iol.it giallo.it',
  }),
  row('bluewin', 'Bluewin', ['imaps.bluewin.ch', 'smtpauths.bluewin.ch'], {
    domains: 'bluewin.ch',
  }),
  row('seznam', 'Seznam', ['imap.seznam.cz', 'smtp.seznam.cz'], {
    domains: 'seznam.cz email.cz post.cz spoluzaci.cz',
    mx: 'seznam.cz',
  }),
  row('wp', 'WP', ['imap.wp.pl', 'smtp.wp.pl'], { domains: 'wp.pl' }, { switchOn: true }),
  row(
    'interia',
    'Interia',
    ['poczta.interia.pl', 'poczta.interia.pl'],
    { domains: 'interia.pl interia.eu poczta.fm' },
    { switchOn: true },
  ),
  row(
    'qq',
    'QQ Mail',
    ['imap.qq.com', 'smtp.qq.com'],
    { domains: 'qq.com foxmail.com' },
    { ...always, switchOn: true },
  ),
  row('exmail', 'Tencent Exmail', ['imap.exmail.qq.com', 'smtp.exmail.qq.com'], { mx: 'qq.com' }),
  row(
    'netease-163',
    'NetEase',
    ['imap.163.com', 'smtp.163.com'],
    { domains: '163.com' },
    { ...always, switchOn: true },
  ),
  row(
    'netease-126',
    'NetEase',
    ['imap.126.com', 'smtp.126.com'],
    { domains: '126.com' },
    { ...always, switchOn: true },
  ),
  row(
    'naver',
    'Naver',
    ['imap.naver.com', 'smtp.naver.com'],
    { domains: 'naver.com' },
    { appPassword: 'two_factor', switchOn: true },
  ),
  row(
    'att',
    'AT&T',
    ['imap.mail.att.net', 'smtp.mail.att.net'],
    {
      domains: 'att.net sbcglobal.net bellsouth.net',
    },
    always,
  ),
  row(
    'comcast',
    'Xfinity',
    ['imap.comcast.net', 'smtp.comcast.net'],
    {
      domains: 'comcast.net',
    },
    { switchOn: true },
  ),
  row('bt', 'BT', ['mail.btinternet.com', 'mail.btinternet.com'], {
    domains: 'btinternet.com btopenworld.com',
  }),
  row('proton', 'Proton', null, {
    domains: 'proton.me protonmail.com protonmail.ch pm.me',
    mx: 'protonmail.ch',
  }),
  row('tuta', 'Tuta', null, {
    domains: 'tutanota.com tutanota.de tuta.io tuta.com keemail.me tutamail.com',
    mx: 'tutanota.de',
  }),
  row('hey', 'HEY', null, { domains: 'hey.com', mx: 'app.hey.com' }),
]

const byDomain = new Map(rows.flatMap((one) => one.domains.map((domain) => [domain, one] as const)))

// The longest ending counts: mail.icloud.com before icloud.com.
const endings = rows
  .flatMap((one) => one.mx.map((ending) => ({ ending, one })))
  .sort((a, b) => b.ending.length - a.ending.length)

/** Whether a host is a domain, or lies under it. */
export const isUnder = (host: string, domain: string) =>
  host === domain || host.endsWith(`.${domain}`)

/** The provider that gives mailboxes under this domain, in small letters, to anybody. */
export const providerOfDomain = (domain: string): Provider | undefined => byDomain.get(domain)

/** The provider that takes the mail of a domain, by the hosts of its MX records, the first that is known. */
export function providerOfMx(hosts: readonly string[]): Provider | undefined {
  for (const host of hosts.map(nameOf)) {
    const found = endings.find(({ ending }) => isUnder(host, ending))
    if (found) return found.one
  }
  return undefined
}

/** The provider to whom a mail server belongs. */
export function providerOfHost(given: string): Provider | undefined {
  const host = nameOf(given)
  return (
    rows.find(({ imap, smtp }) => imap?.host === host || smtp?.host === host) ??
    endings.find(({ ending }) => isUnder(host, ending))?.one
  )
}

/**
 * Whether a password for a mailbox of `domain` may go to a host before its owner has seen that host's name (RFC 6186, 6): it is
 * under the address's own domain, or a server of a provider of the table.
 */
export function isExpectedHost(given: string, domain: string): boolean {
  const host = nameOf(given)
  return (
    isUnder(host, domain) ||
    rows.some(({ imap, smtp }) => hasServer(imap, host) || hasServer(smtp, host))
  )
}

const hasServer = (server: FoundServer | null, host: string) => server?.host === host

const nameOf = (host: string) => host.toLowerCase().replace(/\.$/, '')
