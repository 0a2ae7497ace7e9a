// Who writes as a mail server. A person may have almost any address, so the names are matched whole.

const server =
  /^(?:mailer[-_.]?daemon|mail[-_.]?daemon|mdaemon|daemon|post[-_.]?master|postmast|mail[-_.]?delivery(?:[-_.](?:sub)?system)?|mailsystem|mail[-_.]system|system[-_.]?mailer|returned[-_.]?mail|undeliverable|undelivered|non[-_.]?delivery|dsn|ndr|no[-_.]?reply[-_.]daemon|microsoftexchange[0-9a-f]{16,40})$/i
const bounces = /^(?:bounced?|bounces)(?:[-+_.=].{0,300})?$|[-+_.=]bounces?$/i

const localPart = (address: string): string => {
  const at = address.lastIndexOf('@')
  return (at < 0 ? address : address.slice(0, at)).slice(0, 320)
}

/** Whether an address is one that mail servers write from. */
export const isServer = (address: string): boolean => server.test(localPart(address))

/** The same, or an address to which bounces come. */
export const isDaemon = (address: string): boolean =>
  isServer(address) || bounces.test(localPart(address))

const names =
  /^["' ]*(?:mail deliver(?:y)? (?:sub)?system|mail delivery service|mail transfer|courier mail server|content-filter|interscan|groupshield|mailmarshal|mailsweeper|scanmail|symantec (?:mail|email|messaging)|trend micro (?:email|mail|messaging)|mcafee (?:email|mail)|mimecast|mailer[- ]daemon|mail[- ]?(?:system )?administrator|system administrator|systemadministrator|systembeheerder|administrateur système|administrador del sistema|amministratore di sistema|administrador do sistema|postmaster|delivery (?:subsystem|agent|notification)|internet mail delivery|microsoft outlook|mail (?:system|server|router|gateway)|message failure|returned mail|undeliverable mail)\b/i

/** Whether a display name is one that mail servers give themselves. A person may have chosen it. */
export const isDaemonName = (name: string): boolean => names.test(name.slice(0, 100))

const unattended =
  /^(?:(?:do[-_.]?)?not?[-_.]?reply|donot[-_.]?reply|do[-_.]?not[-_.]?answer|noanswer|no[-_.]?response|nicht[-_.]?antworten|keine[-_.]?antwort|ne[-_.]?pas[-_.]?repondre|no[-_.]?responder|non[-_.]?rispondere|nao[-_.]?responda|niet[-_.]?beantwoorden|nie[-_.]?odpowiadaj|auto(?:matic|mated)?[-_.]?(?:reply|response|mailer)|notifications?|notifier|alerts?)(?:[-_.+].{0,100})?$/i

/** Whether nobody reads what is sent to an address, as it says itself. */
export const isUnattended = (address: string): boolean => unattended.test(localPart(address))
