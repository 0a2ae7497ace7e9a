// Why an account rests: the causes that `channels[].problem` names, and what ends each.

/** `day`: the provider's next day. `growing`: longer each time. `somebody`: a person has to act; one letter a day finds out. */
export type Until = 'day' | 'growing' | 'somebody'

export const restCauses = {
  smtp_quota: 'day',
  smtp_rate: 'growing',
  smtp_sessions: 'growing',
  smtp_sender_refused: 'somebody',
  smtp_disabled: 'somebody',
  smtp_unpaid: 'somebody',
  smtp_login_refused: 'somebody',
  smtp_refusing: 'growing',
  imap_login_refused: 'somebody',
  imap_throttled: 'growing',
  imap_too_many_sessions: 'growing',
  imap_bandwidth: 'growing',
  imap_unavailable: 'growing',
} as const satisfies Record<string, Until>

export type RestCause = keyof typeof restCauses
export type SmtpCause = Extract<RestCause, `smtp_${string}`>
export type ImapCause = Extract<RestCause, `imap_${string}`>

/** The two servers of an account. */
export type Server = 'smtp' | 'imap'

/** Whether the trouble of an account that has this code passes by itself. */
export const passes = (code: string): boolean =>
  code in restCauses && !endsBySomebody(code as RestCause)

/** Whether a rest with this cause lasts until a person acts. */
export const endsBySomebody = (cause: RestCause): boolean => restCauses[cause] === 'somebody'
