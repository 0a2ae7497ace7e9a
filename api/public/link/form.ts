import type { Context } from 'koa'
import { receiveForm } from '../../http/unproven-form.ts'
import type { Entered } from './page.ts'
import { languages, type PageLanguage } from './words.ts'

// What the owner of a mailbox has sent with the form of a step.

export type Form = Entered & {
  password: string
  language: PageLanguage | undefined
  isCancelled: boolean
  /** It has the fields of the second step. */
  isLogin: boolean
}

const formBytes = 16 * 1024

export async function readForm(ctx: Context): Promise<Form> {
  const given = await receiveForm(ctx, formBytes)
  const line = (name: string) => (given.get(name) ?? '').trim().slice(0, 320)
  return {
    account: line('account'),
    user: line('user'),
    imapHost: line('imapHost').toLowerCase(),
    imapPort: line('imapPort'),
    smtpHost: line('smtpHost').toLowerCase(),
    smtpPort: line('smtpPort'),
    password: given.get('password') ?? '',
    language: languageIn(given.getAll('lang').at(-1)),
    isCancelled: given.has('cancel'),
    isLogin: given.has('password'),
  }
}

export const languageIn = (text: string | null | undefined) => languages.find((one) => one === text)
