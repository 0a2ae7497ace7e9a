import type { Email } from 'postal-mime'

/** The first field of a mail's head with this name, which is in small letters; empty if there is none. */
export const headerOf = ({ headers }: Pick<Email, 'headers'>, name: string): string =>
  headers.find(({ key }) => key === name)?.value ?? ''
