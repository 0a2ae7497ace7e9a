import { connectionSecrets, SealError, type SecretKey } from '../../../db/secrets.ts'
import { MailTrouble } from './smtp.ts'

/**
 * The passwords of a connection.
 * @throws MailTrouble password_unreadable if they were sealed with another SECRET_KEY.
 */
export function mailSecrets(
  { secretKey }: { secretKey: SecretKey },
  connection: { id: string; secrets: string | null },
) {
  try {
    return connectionSecrets(secretKey, connection)
  } catch (error) {
    throw error instanceof SealError ? new MailTrouble('password_unreadable') : error
  }
}
