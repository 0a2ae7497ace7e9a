/**
 * Why there is no token, as a code that is safe to show. consent_needed: the owner has to consent (again). oauth_refused: the
 * provider refuses the client or what it asks for. oauth_unreachable: it does not answer, or not now. oauth_error: its answer is
 * not understood. oauth_unconfigured: the environment has no client for it. oauth_busy: another process has been asking for
 * long. secret_unreadable: a sealed text was sealed under another SECRET_KEY.
 */
export type OauthCode =
  | 'consent_needed'
  | 'oauth_refused'
  | 'oauth_unreachable'
  | 'oauth_error'
  | 'oauth_unconfigured'
  | 'oauth_busy'

export class OauthTrouble extends Error {
  readonly code: OauthCode
  /** The provider's own code for it, the status of its answer, or the member that is not understood; safe to show. */
  readonly word: string | undefined
  constructor(code: OauthCode, word?: string) {
    super(code)
    this.code = code
    this.word = word
  }
}

/** A provider or token server was not reached. `problem` is that of the exchange. */
export const unreachable = (problem: string) =>
  new OauthTrouble('oauth_unreachable', problem === 'unreachable' ? undefined : problem)
