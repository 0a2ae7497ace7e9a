// What the page for the owner of a mailbox says, in English and German. Whoever reads it owns a mailbox and knows nothing of this
// service. One file, because it is one text in two languages, whose members the type keeps equal.

export const languages = ['en', 'de'] as const
export type PageLanguage = (typeof languages)[number]

/** Who asks for the mailbox; without a member, an operator does. */
export type Asking = { workspace: string; member: string | null }

const en = {
  name: 'English',
  title: 'Connect your mailbox',
  asks: ({ workspace, member }: Asking) =>
    `${member === null ? workspace : `${member} of ${workspace}`} asks to send mail from your mailbox and to read the mail in it. They do so with a program named Postroom.`,
  stranger: 'If you do not know who that is, close this page. Nothing happens then.',
  account: 'Your e-mail address',
  accountHint: 'The next step depends on where your mailbox is.',
  fixedHint: 'This link is for this address alone.',
  onward: 'Continue',
  cancel: 'Not now',
  another: 'Another address',
  loginTitle: 'Log in to your mailbox',
  loginAs: 'Your mailbox',
  password: 'Password of your mailbox',
  appPassword: 'App password',
  passwordHint: 'It is stored encrypted, and used for this mailbox only.',
  sentTo: 'Your password is sent to these servers, over an encrypted connection:',
  receives: 'for receiving',
  sends: 'for sending',
  unexpected: (domain: string, hosts: string) =>
    `${domain} says that its mailboxes are at ${hosts}. That is another domain than that of your address: continue only if you know it, or ask your provider.`,
  port: 'port',
  servers: 'Servers',
  change: 'Change the servers',
  enter: 'Enter the servers',
  user: 'User name',
  userHint: 'Most servers take the whole address.',
  imapHost: 'Server for receiving (IMAP)',
  imapPort: 'Port for receiving',
  imapPortHint: '993 with TLS, or 143 with STARTTLS',
  smtpHost: 'Server for sending (SMTP)',
  smtpPort: 'Port for sending',
  smtpPortHint: '465 with TLS, or 587 with STARTTLS',
  connect: 'Connect',
  wrong: 'That did not work yet',
  retype: 'For your safety the password is not kept on this page. Please enter it again.',
  said: 'The server says:',
  howTo: (provider: string) => `What to do at ${provider}`,
  help: (provider: string) => `Help of ${provider}`,
  triesLeft: (left: number) =>
    left === 1 ? 'You can try once more.' : `You can try ${left} more times.`,
  doneTitle: 'Your mailbox is connected',
  done: (account: string) => `${account} is connected. You may close this page.`,
  cancelledTitle: 'Nothing was connected',
  cancelled: 'You may close this page. The link works until it expires, if you change your mind.',
  goneTitle: 'This link has ended',
  gone: 'It was used already, it has expired, the password was wrong too often, or it was withdrawn. Ask for a new one where you got it from.',
  unknownTitle: 'This link is not valid',
  unknown:
    'It may have been cut short. Open the whole link, or ask for a new one where you got it from.',
  closedTitle: 'The password was wrong too often',
  closed:
    'This link has ended for the safety of your mailbox. Nothing was connected. Ask for a new link where you got it from.',
  openAgain: 'Open the link that you were given once more, and try again.',
  elsewhereTitle: 'You come from another browser',
  elsewhere:
    'This way to the provider was begun in another browser, or your browser keeps no cookies. Nothing was connected. If somebody sent you an address of the provider, do not open it.',
  knownTitle: 'This mailbox is connected already',
  known: (workspace: string) =>
    `${workspace} uses this mailbox already, so there is nothing to do. You may close this page.`,
  fullTitle: 'There is no room for another mailbox',
  full: (workspace: string) =>
    `${workspace} has as many mailboxes as it may have. Nothing was connected. Tell whoever gave you this link; it works until it expires.`,
  busyTitle: 'Please try again in a minute',
  busy: 'Postroom cannot do this at the moment. Nothing was connected.',
  cookies:
    'Your browser has kept no cookie of this page, or kept the page open for too long. Please enter it once more, and allow cookies for this page if it happens again.',
  faults: {
    account: 'Enter your whole e-mail address, such as name@example.com.',
    fixed: 'This link is for another address.',
    password: 'Enter the password.',
    passwordAgain: 'Enter the right password.',
    imapHost: 'Enter the name of the server for receiving, such as imap.example.com.',
    smtpHost: 'Enter the name of the server for sending, such as smtp.example.com.',
    imapPort: 'Enter the port for receiving, usually 993.',
    smtpPort: 'Enter the port for sending, usually 465 or 587.',
    user: 'Enter the user name, or leave it empty.',
  },
  problems: {
    wrong_password: (host: string) =>
      `${host} does not accept this user name and password. Check both, and that Caps Lock is off. What you need is the password of your mailbox.`,
    app_password: (host: string) =>
      `${host} does not accept this password. Your provider wants an app password here: one that you make there for other programs, beside your usual one.`,
    consent: () =>
      'Your provider lets other programs in without a password only: you would agree on its own page. That is not set up in this Postroom. Please tell whoever sent you the link.',
    imap_off: () =>
      'Other programs may not read your mailbox yet, because IMAP is switched off. Switch it on in the settings of your mailbox, or ask your administrator, and try again.',
    smtp_off: () =>
      'Other programs may not send from your mailbox, because SMTP is switched off. Switch it on in the settings of your mailbox, or ask your administrator, and try again.',
    blocked: () =>
      'Your provider blocks this login. Log in on its own website first: it may want to know whether this is you, or tell you that the account is locked. Then try again.',
    too_many: () =>
      'Your provider has seen too many logins to your mailbox. Wait a quarter of an hour, and try again.',
    unpaid: () =>
      'Your provider lets other programs in only with a plan that includes it, or an invoice is open. Look into your account there.',
    busy: () =>
      'The server of your provider could not check the login at the moment. Try again in a few minutes.',
    no_login: (host: string) =>
      `${host} offers no login with a password. Check the name of the server, or ask your provider which one is right.`,
    server_unreachable: (host: string) =>
      `No mail server answers at ${host} over an encrypted connection. Check its name and port, or ask your provider for them.`,
    no_server: (domain: string) =>
      `We do not know the servers of ${domain}, and it does not name them itself. Enter them below: your provider's help or your administrator has them, often as “IMAP” and “SMTP”.`,
    no_access: (provider: string) =>
      `${provider} lets no other program into its mailboxes by itself, so this mailbox cannot be connected. Use another one, or tell whoever sent you the link.`,
    tries: () =>
      'There were too many logins to this mailbox in the last hour. Wait an hour, and try again.',
    consent_denied: () => 'You have not agreed at your provider. Nothing was connected.',
    another_account: () =>
      'You have agreed as another account than the one whose address you entered. Nothing was connected. Log out at the provider, or choose the right account there.',
    provider_failed: () =>
      'Your provider refuses. Nothing was connected. In many firms an administrator has to allow Postroom first: tell whoever sent you the link.',
    provider_away: () => 'Your provider does not answer at the moment. Nothing was connected.',
    private_address: (host: string) =>
      `${host} is not on the public internet. Enter the server that your mailbox has there.`,
  },
  advice: {
    google: {
      app_password: [
        'Switch on 2-Step Verification in your Google account (Security).',
        'Open myaccount.google.com/apppasswords and make an app password.',
        'Enter its 16 letters here, in place of your usual password.',
      ],
      imap_off: [
        'Gmail, Settings, “Forwarding and POP/IMAP”: enable IMAP. In a firm, the administrator does so.',
      ],
      blocked: ['Log in at mail.google.com, and confirm in the mail of Google that it was you.'],
    },
    microsoft: {
      imap_off: [
        'Outlook.com, Settings, “Forwarding and IMAP”: let devices and apps use IMAP. In a firm, the administrator does so.',
      ],
      smtp_off: ['Ask your administrator to switch on “Authenticated SMTP” for your mailbox.'],
      blocked: ['Log in at outlook.com, and confirm under “Recent activity” that it was you.'],
    },
    apple: {
      app_password: [
        'Log in at account.apple.com.',
        'Choose “Sign-In and Security”, then “App-Specific Passwords”, and make one.',
        'Enter it here, in place of your usual password.',
      ],
      blocked: ['Log in at icloud.com/mail, and follow what it says.'],
    },
    yahoo: {
      app_password: [
        'Log in at Yahoo, and open “Account info”, “Security”.',
        'Choose “Generate app password”, name it Postroom, and make it.',
        'Enter it here, in place of your usual password.',
      ],
      blocked: ['Log in at mail.yahoo.com, and confirm under “Recent activity” that it was you.'],
    },
    united: {
      app_password: [
        'With two-factor login you need a password of your own for this: log in there, open “My account”, “Security”, and make an application-specific password.',
        'Enter it here, in place of your usual password.',
      ],
      imap_off: [
        'Log in at {provider} in the browser, and open “E-mail”, “Settings”, “POP3/IMAP”.',
        'Allow access over POP3 and IMAP, and save.',
      ],
      wrong_password: [
        'Check that access over POP3 and IMAP is allowed: “E-mail”, “Settings”, “POP3/IMAP”.',
        'With two-factor login you need an application-specific password, which you make there under “My account”, “Security”.',
      ],
    },
    other: {
      app_password: [
        'Log in at your provider in the browser, and look in the settings of security for an app password (also “password for e-mail programs”).',
        'Make one, and enter it here, in place of your usual password.',
      ],
      imap_off: [
        'Log in at your provider in the browser, and look in the settings of e-mail for IMAP or “other programs”.',
      ],
      blocked: ['Log in at your provider in the browser, and follow what it says.'],
    },
  },
}

export type Words = typeof en

const de: Words = {
  name: 'Deutsch',
  title: 'Ihr Postfach verbinden',
  asks: ({ workspace, member }) =>
    `${member === null ? workspace : `${member} von ${workspace}`} bittet darum, E-Mails aus Ihrem Postfach zu senden und die E-Mails darin zu lesen. Dafür dient ein Programm namens Postroom.`,
  stranger: 'Wenn Sie nicht wissen, wer das ist, schließen Sie diese Seite. Dann geschieht nichts.',
  account: 'Ihre E-Mail-Adresse',
  accountHint: 'Wie es weitergeht, hängt davon ab, wo Ihr Postfach liegt.',
  fixedHint: 'Dieser Link gilt nur für diese Adresse.',
  onward: 'Weiter',
  cancel: 'Jetzt nicht',
  another: 'Andere Adresse',
  loginTitle: 'Am Postfach anmelden',
  loginAs: 'Ihr Postfach',
  password: 'Passwort Ihres Postfachs',
  appPassword: 'App-Passwort',
  passwordHint: 'Es wird verschlüsselt gespeichert und nur für dieses Postfach verwendet.',
  sentTo: 'Ihr Passwort geht verschlüsselt an diese Server:',
  receives: 'zum Empfangen',
  sends: 'zum Senden',
  unexpected: (domain, hosts) =>
    `${domain} gibt an, dass seine Postfächer bei ${hosts} liegen. Das ist eine andere Domain als die Ihrer Adresse: Fahren Sie nur fort, wenn Sie sie kennen, oder fragen Sie Ihren Anbieter.`,
  port: 'Port',
  servers: 'Server',
  change: 'Server ändern',
  enter: 'Server eingeben',
  user: 'Benutzername',
  userHint: 'Die meisten Server erwarten die ganze Adresse.',
  imapHost: 'Server zum Empfangen (IMAP)',
  imapPort: 'Port zum Empfangen',
  imapPortHint: '993 mit TLS oder 143 mit STARTTLS',
  smtpHost: 'Server zum Senden (SMTP)',
  smtpPort: 'Port zum Senden',
  smtpPortHint: '465 mit TLS oder 587 mit STARTTLS',
  connect: 'Verbinden',
  wrong: 'Das hat noch nicht geklappt',
  retype:
    'Zu Ihrer Sicherheit bleibt das Passwort nicht auf dieser Seite. Bitte geben Sie es noch einmal ein.',
  said: 'Der Server sagt:',
  howTo: (provider) => `Was Sie bei ${provider} tun können`,
  help: (provider) => `Hilfe von ${provider}`,
  triesLeft: (left) =>
    left === 1 ? 'Sie haben noch einen Versuch.' : `Sie haben noch ${left} Versuche.`,
  doneTitle: 'Ihr Postfach ist verbunden',
  done: (account) => `${account} ist verbunden. Sie können diese Seite schließen.`,
  cancelledTitle: 'Es wurde nichts verbunden',
  cancelled:
    'Sie können diese Seite schließen. Falls Sie es sich anders überlegen: Der Link gilt, bis er abläuft.',
  goneTitle: 'Dieser Link gilt nicht mehr',
  gone: 'Er wurde schon benutzt, er ist abgelaufen, das Passwort war zu oft falsch, oder er wurde zurückgezogen. Fragen Sie dort nach einem neuen, wo Sie ihn bekommen haben.',
  unknownTitle: 'Dieser Link ist ungültig',
  unknown:
    'Vielleicht fehlt sein Ende. Öffnen Sie den ganzen Link, oder fragen Sie dort nach einem neuen, wo Sie ihn bekommen haben.',
  closedTitle: 'Das Passwort war zu oft falsch',
  closed:
    'Zum Schutz Ihres Postfachs gilt dieser Link nicht mehr. Es wurde nichts verbunden. Fragen Sie dort nach einem neuen Link, wo Sie ihn bekommen haben.',
  openAgain:
    'Öffnen Sie den Link, den Sie erhalten haben, noch einmal, und versuchen Sie es erneut.',
  elsewhereTitle: 'Sie kommen aus einem anderen Browser',
  elsewhere:
    'Dieser Weg zum Anbieter wurde in einem anderen Browser begonnen, oder Ihr Browser behält keine Cookies. Es wurde nichts verbunden. Wenn Ihnen jemand eine Adresse des Anbieters geschickt hat, öffnen Sie sie nicht.',
  knownTitle: 'Dieses Postfach ist schon verbunden',
  known: (workspace) =>
    `${workspace} benutzt dieses Postfach bereits, es ist also nichts zu tun. Sie können diese Seite schließen.`,
  fullTitle: 'Für ein weiteres Postfach ist kein Platz',
  full: (workspace) =>
    `${workspace} hat so viele Postfächer, wie erlaubt sind. Es wurde nichts verbunden. Sagen Sie es dem, der Ihnen diesen Link gegeben hat; er gilt, bis er abläuft.`,
  busyTitle: 'Bitte versuchen Sie es in einer Minute noch einmal',
  busy: 'Postroom kann das im Moment nicht ausführen. Es wurde nichts verbunden.',
  cookies:
    'Ihr Browser hat kein Cookie dieser Seite behalten, oder die Seite war zu lange offen. Bitte geben Sie alles noch einmal ein, und erlauben Sie dieser Seite Cookies, falls es wieder geschieht.',
  faults: {
    account: 'Geben Sie Ihre ganze E-Mail-Adresse ein, zum Beispiel name@example.com.',
    fixed: 'Dieser Link gilt für eine andere Adresse.',
    password: 'Geben Sie das Passwort ein.',
    passwordAgain: 'Geben Sie das richtige Passwort ein.',
    imapHost: 'Geben Sie den Server zum Empfangen ein, zum Beispiel imap.example.com.',
    smtpHost: 'Geben Sie den Server zum Senden ein, zum Beispiel smtp.example.com.',
    imapPort: 'Geben Sie den Port zum Empfangen ein, meist 993.',
    smtpPort: 'Geben Sie den Port zum Senden ein, meist 465 oder 587.',
    user: 'Geben Sie den Benutzernamen ein, oder lassen Sie das Feld leer.',
  },
  problems: {
    wrong_password: (host) =>
      `${host} nimmt diesen Benutzernamen und dieses Passwort nicht an. Prüfen Sie beides, auch die Feststelltaste. Gebraucht wird das Passwort Ihres Postfachs.`,
    app_password: (host) =>
      `${host} nimmt dieses Passwort nicht an. Ihr Anbieter erwartet hier ein App-Passwort: eines, das Sie dort für andere Programme anlegen, neben Ihrem üblichen.`,
    consent: () =>
      'Ihr Anbieter lässt andere Programme nur ohne Passwort zu: Sie würden auf seiner eigenen Seite zustimmen. Das ist in diesem Postroom nicht eingerichtet. Bitte sagen Sie es dem, der Ihnen den Link geschickt hat.',
    imap_off: () =>
      'Andere Programme dürfen Ihr Postfach noch nicht lesen, weil IMAP ausgeschaltet ist. Schalten Sie es in den Einstellungen Ihres Postfachs ein, oder bitten Sie Ihre IT darum, und versuchen Sie es noch einmal.',
    smtp_off: () =>
      'Andere Programme dürfen nicht aus Ihrem Postfach senden, weil SMTP ausgeschaltet ist. Schalten Sie es in den Einstellungen Ihres Postfachs ein, oder bitten Sie Ihre IT darum, und versuchen Sie es noch einmal.',
    blocked: () =>
      'Ihr Anbieter blockiert diese Anmeldung. Melden Sie sich zuerst auf seiner eigenen Website an: Vielleicht will er wissen, ob Sie das waren, oder das Konto ist gesperrt. Versuchen Sie es danach noch einmal.',
    too_many: () =>
      'Ihr Anbieter hat zu viele Anmeldungen an Ihrem Postfach gesehen. Warten Sie eine Viertelstunde, und versuchen Sie es noch einmal.',
    unpaid: () =>
      'Ihr Anbieter lässt andere Programme nur mit einem Tarif zu, der das enthält, oder eine Rechnung ist offen. Sehen Sie dort in Ihrem Konto nach.',
    busy: () =>
      'Der Server Ihres Anbieters konnte die Anmeldung im Moment nicht prüfen. Versuchen Sie es in einigen Minuten noch einmal.',
    no_login: (host) =>
      `${host} bietet keine Anmeldung mit Passwort an. Prüfen Sie den Namen des Servers, oder fragen Sie Ihren Anbieter nach dem richtigen.`,
    server_unreachable: (host) =>
      `Unter ${host} antwortet kein Mailserver mit verschlüsselter Verbindung. Prüfen Sie Namen und Port, oder fragen Sie Ihren Anbieter danach.`,
    no_server: (domain) =>
      `Wir kennen die Server von ${domain} nicht, und die Domain nennt sie auch nicht selbst. Geben Sie sie unten ein: Sie stehen in der Hilfe Ihres Anbieters, meist als „IMAP“ und „SMTP“, oder Ihre IT kennt sie.`,
    no_access: (provider) =>
      `${provider} lässt andere Programme nicht von sich aus in seine Postfächer, deshalb kann dieses Postfach nicht verbunden werden. Nehmen Sie ein anderes, oder sagen Sie es dem, der Ihnen den Link geschickt hat.`,
    tries: () =>
      'In der letzten Stunde gab es zu viele Anmeldungen an diesem Postfach. Warten Sie eine Stunde, und versuchen Sie es noch einmal.',
    consent_denied: () =>
      'Sie haben bei Ihrem Anbieter nicht zugestimmt. Es wurde nichts verbunden.',
    another_account: () =>
      'Sie haben mit einem anderen Konto zugestimmt als dem, dessen Adresse Sie eingegeben haben. Es wurde nichts verbunden. Melden Sie sich beim Anbieter ab, oder wählen Sie dort das richtige Konto.',
    provider_failed: () =>
      'Ihr Anbieter lehnt ab. Es wurde nichts verbunden. In vielen Firmen muss die IT Postroom erst zulassen: Sagen Sie es dem, der Ihnen den Link geschickt hat.',
    provider_away: () => 'Ihr Anbieter antwortet im Moment nicht. Es wurde nichts verbunden.',
    private_address: (host) =>
      `${host} liegt nicht im öffentlichen Internet. Geben Sie den Server ein, den Ihr Postfach dort hat.`,
  },
  advice: {
    google: {
      app_password: [
        'Schalten Sie in Ihrem Google-Konto unter „Sicherheit“ die Bestätigung in zwei Schritten ein.',
        'Öffnen Sie myaccount.google.com/apppasswords, und legen Sie ein App-Passwort an.',
        'Geben Sie seine 16 Buchstaben hier ein, statt Ihres üblichen Passworts.',
      ],
      imap_off: [
        'Gmail, Einstellungen, „Weiterleitung und POP/IMAP“: IMAP aktivieren. In einer Firma macht das die IT.',
      ],
      blocked: [
        'Melden Sie sich bei mail.google.com an, und bestätigen Sie in der Mail von Google, dass Sie das waren.',
      ],
    },
    microsoft: {
      imap_off: [
        'Outlook.com, Einstellungen, „Weiterleiten und IMAP“: IMAP für Geräte und Apps zulassen. In einer Firma macht das die IT.',
      ],
      smtp_off: ['Bitten Sie Ihre IT, für Ihr Postfach „Authentifiziertes SMTP“ einzuschalten.'],
      blocked: [
        'Melden Sie sich bei outlook.com an, und bestätigen Sie unter „Letzte Aktivitäten“, dass Sie das waren.',
      ],
    },
    apple: {
      app_password: [
        'Melden Sie sich bei account.apple.com an.',
        'Wählen Sie „Anmeldung und Sicherheit“, dann „Appspezifische Passwörter“, und legen Sie eines an.',
        'Geben Sie es hier ein, statt Ihres üblichen Passworts.',
      ],
      blocked: ['Melden Sie sich bei icloud.com/mail an, und folgen Sie den Hinweisen dort.'],
    },
    yahoo: {
      app_password: [
        'Melden Sie sich bei Yahoo an, und öffnen Sie „Kontoinformationen“, „Sicherheit“.',
        'Wählen Sie „App-Passwort generieren“, nennen Sie es Postroom, und legen Sie es an.',
        'Geben Sie es hier ein, statt Ihres üblichen Passworts.',
      ],
      blocked: [
        'Melden Sie sich bei mail.yahoo.com an, und bestätigen Sie unter „Letzte Aktivitäten“, dass Sie das waren.',
      ],
    },
    united: {
      app_password: [
        'Mit Zwei-Faktor-Anmeldung brauchen Sie dafür ein eigenes Passwort: Melden Sie sich dort an, öffnen Sie „Mein Account“, „Sicherheit“, und legen Sie ein anwendungsspezifisches Passwort an.',
        'Geben Sie es hier ein, statt Ihres üblichen Passworts.',
      ],
      imap_off: [
        'Melden Sie sich im Browser bei {provider} an, und öffnen Sie „E-Mail“, „Einstellungen“, „POP3/IMAP Abruf“.',
        'Erlauben Sie den Zugriff über POP3 und IMAP, und speichern Sie.',
      ],
      wrong_password: [
        'Prüfen Sie, ob der Zugriff über POP3 und IMAP erlaubt ist: „E-Mail“, „Einstellungen“, „POP3/IMAP Abruf“.',
        'Mit Zwei-Faktor-Anmeldung brauchen Sie ein anwendungsspezifisches Passwort. Sie legen es dort unter „Mein Account“, „Sicherheit“ an.',
      ],
    },
    other: {
      app_password: [
        'Melden Sie sich im Browser bei Ihrem Anbieter an, und suchen Sie in den Sicherheitseinstellungen nach einem App-Passwort (auch „Passwort für E-Mail-Programme“).',
        'Legen Sie eines an, und geben Sie es hier ein, statt Ihres üblichen Passworts.',
      ],
      imap_off: [
        'Melden Sie sich im Browser bei Ihrem Anbieter an, und suchen Sie in den E-Mail-Einstellungen nach IMAP oder „andere Programme“.',
      ],
      blocked: [
        'Melden Sie sich im Browser bei Ihrem Anbieter an, und folgen Sie den Hinweisen dort.',
      ],
    },
  },
}

export const words: Record<PageLanguage, Words> = { en, de }

export type Fault = keyof Words['faults']
export type Problem = keyof Words['problems']

// GMX, WEB.DE and mail.com are of one house, as are Yahoo and AOL.
const houses: Record<string, keyof Words['advice']> = {
  google: 'google',
  microsoft: 'microsoft',
  apple: 'apple',
  yahoo: 'yahoo',
  aol: 'yahoo',
  gmx: 'united',
  'gmx-com': 'united',
  webde: 'united',
  mailcom: 'united',
}

/** What the customer of a provider does about a problem, step by step; empty where the problem's own sentence says all. */
export function adviceOn(
  problem: Problem,
  provider: { id: string; name: string } | undefined,
  say: Words,
): string[] {
  const steps = (house: keyof Words['advice']) =>
    (say.advice[house] as Partial<Record<Problem, string[]>>)[problem]
  const found = steps(houses[provider?.id ?? ''] ?? 'other') ?? steps('other') ?? []
  return found.map((step) => step.replace('{provider}', provider?.name ?? ''))
}
