import { findSuppressed } from '../../../db/accounts/suppressions.ts'
import { findSignature, type Sender } from '../../../db/conversations/contacts.ts'
import type { Beside } from '../../../db/conversations/messages.ts'
import { type Card, type Taken, takeFiles } from '../../../db/conversations/uploads.ts'
import type { Db, Trx } from '../../../db/database.ts'
import { newId } from '../../../db/ids.ts'
import { findErased } from '../../../db/people/erased.ts'
import { findOwners } from '../../../db/people/people.ts'
import type { SecretKey } from '../../../db/secrets.ts'
import { readHtmlAside } from '../../../process/children/letter-html.ts'
import { comparedForm, keyOf } from '../../../rules/addresses.ts'
import type { ChannelKind } from '../../../rules/channels.ts'
import { isPlainCid, namesOfCid, signedHtml, signedText, withCids } from '../../../rules/letters.ts'
import { mustNot } from '../../../rules/mail/html/letter.ts'
import { cut, isVisible } from '../../../rules/text.ts'
import { ApiError, invalid, type Problem } from '../../http/errors.ts'
import { largestFiles, tooManyBytes } from '../../shapes/file.ts'
import { type LetterGiven, longestText, mostRecipients } from '../../shapes/letter.ts'

// What a message has beside its text: HTML, copies, files and a signature.

type Words = { text: string; html: string | null; cids: string[]; leftOut: string[] }
type Given = Partial<Pick<LetterGiven, 'text' | 'html' | 'cc' | 'bcc' | 'files' | 'signature'>>

/** Refuses files that are too large together; those that are named by their id are added later. */
export const checkFiles = ({ files = [] }: Pick<Given, 'files'>) => refuseLarge(sizeOf(files, []))

const sizeOf = (files: Taken[], cards: Card[]) =>
  files.reduce((sum, file) => {
    if (typeof file !== 'string') return sum + file.content.length
    return sum + (cards.find(({ id }) => id === file)?.size ?? 0)
  }, 0)

function refuseLarge(bytes: number) {
  if (bytes > largestFiles) throw tooManyBytes('/files')
}

/** The words of a message; HTML is read in a child process. @throws ApiError naming what HTML must not have. */
export async function wordsOf(
  { text = '', html }: Pick<Given, 'text' | 'html'>,
  workspace: string,
): Promise<Words> {
  if (html === undefined) return { text, html: null, cids: [], leftOut: [] }
  const read = await readHtmlAside(html, workspace)
  if (!read)
    throw invalid('/html', 'too_complex', 'cannot be read within the limits of time and memory')
  const errors = read.findings.map((finding): Problem => {
    return { pointer: '/html', code: finding.code, message: mustNot(finding) }
  })
  if (errors.length > 0)
    throw new ApiError('validation_failed', `/html: ${errors[0]?.message}`, { errors })
  if (text === '' && !isVisible(read.text))
    throw invalid('/html', 'too_small', 'must show words or an image, since there is no text')
  return {
    text: text || shortened(read.text),
    html: read.html ?? html,
    cids: read.cids,
    leftOut: read.leftOut,
  }
}

const more = '\n\n[…]'
/** What is made of long HTML ends between two words, and shows that there is more. */
function shortened(text: string): string {
  if (text.length <= longestText) return text
  const start = cut(text, longestText - more.length)
  const end = start.search(/\s\S{0,200}$/)
  return `${(end < 0 ? start : start.slice(0, end)).trimEnd()}${more}`
}

export type Letter = {
  text: string
  /** Undefined for a message that is text alone. */
  beside: Beside | undefined
  files: { file: Taken; cid: string | null }[]
  locked: Card[]
  /** What was left out of the HTML, in words. */
  leftOut: string[]
}

type Route = {
  kind: ChannelKind
  via: Sender
  to: string
  member: string
  secretKey: SecretKey | undefined
}

/**
 * Puts together the words, files and recipients of a message. `lock` locks the files that are named by their id and reads their cards.
 * @throws ApiError for what the account or a recipient does not take, and for files that are not there.
 */
export async function composed(
  db: Db,
  workspace: string,
  given: Given & { repliesTo?: string | undefined },
  words: Words,
  { kind, via, to, member, secretKey }: Route,
  lock: (files: string[]) => Promise<Card[]>,
): Promise<Letter> {
  refuseForOthers(kind, given)
  const { cc, bcc } = await copiesOf(db, { workspace, secretKey }, given, to)
  const ids = (given.files ?? []).filter((file) => typeof file === 'string')
  const locked = ids.length > 0 ? await lock(ids) : []
  const { html, files } = attached(given.files ?? [], locked, words)
  const signature = given.signature ? await findSignature(db, workspace, via.id, member) : ''
  const beside = {
    html: html === null ? null : signedHtml(html, signature),
    cc,
    bcc,
    repliesTo: given.repliesTo ?? null,
  }
  const isPlain = html === null && cc.length + bcc.length === 0 && beside.repliesTo === null
  return {
    text: signedText(words.text, signature),
    beside: isPlain ? undefined : beside,
    files,
    locked,
    leftOut: words.leftOut,
  }
}

/** Gives a message that stands there its files. */
export async function attach(
  trx: Trx,
  of: { workspace: string; message: string },
  { files, locked }: Letter,
) {
  if (files.length > 0) await takeFiles(trx, of, files, locked)
}

function refuseForOthers(kind: ChannelKind, { html, cc = [], bcc = [] }: Given) {
  if (kind === 'email') return
  const given = { html: html !== undefined, cc: cc.length > 0, bcc: bcc.length > 0 }
  const errors = Object.entries(given)
    .filter(([, isGiven]) => isGiven)
    .map(([member]) => ({
      pointer: `/${member}`,
      code: 'email_only',
      message: 'is for messages by e-mail alone',
    }))
  const [first] = errors
  if (first)
    throw new ApiError('validation_failed', `${first.pointer}: ${first.message}`, { errors })
}

/** The addresses of copies, each once and not that of `to`. */
async function copiesOf(
  db: Db,
  { workspace, secretKey }: { workspace: string; secretKey: SecretKey | undefined },
  { cc = [], bcc = [] }: Given,
  to: string,
) {
  const seen = new Set([to.toLowerCase()])
  const fresh = (address: string) => {
    const isFresh = !seen.has(address)
    seen.add(address)
    return isFresh
  }
  const copies = { cc: cc.filter(fresh), bcc: bcc.filter(fresh) }
  if (seen.size > mostRecipients) {
    const pointer = copies.cc.length >= mostRecipients ? '/cc' : '/bcc'
    const member = copies.bcc.length === 0 ? '/cc' : pointer
    throw invalid(
      member,
      'too_big',
      `must have at most ${mostRecipients} recipients, with those of to, cc and bcc`,
    )
  }
  if (seen.size === 1) return copies
  const suppressed = await findSuppressed(db, workspace, [...copies.cc, ...copies.bcc])
  const errors = Object.entries({ cc, bcc }).flatMap(([member, addresses]) =>
    addresses.flatMap((address, i) => (suppressed.has(address) ? [isSuppressed(member, i)] : [])),
  )
  if (errors.length > 0) throw refusedFor(errors)
  const placed = Object.entries({ cc, bcc }).flatMap(([member, addresses]) =>
    addresses.map((address, i) => ({
      kind: 'email' as const,
      value: comparedForm(address),
      pointer: `/${member}/${i}`,
    })),
  )
  const erased = await findErased(db, secretKey, workspace, placed)
  // Whoever has written again since then may be answered.
  const back = erased.size === 0 ? new Map() : await findOwners(db, workspace, placed)
  const [first, ...more] = placed
    .filter((one) => erased.has(keyOf(one)) && !back.has(keyOf(one)))
    .map(({ pointer }): Problem => ({ pointer, code: 'erased', message: 'was erased' }))
  if (first)
    throw new ApiError('erased', `${first.pointer}: the person was erased.`, {
      errors: [first, ...more],
    })
  return copies
}

const isSuppressed = (member: string, i: number): Problem => ({
  pointer: `/${member}/${i}`,
  code: 'recipient_suppressed',
  message: 'is suppressed',
})

const refusedFor = (errors: Problem[]) =>
  new ApiError('recipient_suppressed', 'This address must not be written to.', { errors })

/** The recipient of a message must not be written to. */
export const toSuppressed = (pointer = '/to') =>
  refusedFor([{ pointer, code: 'recipient_suppressed', message: 'is suppressed' }])

/** There is no address to write to on the channel of the account. */
export const noContact = (pointer: string) =>
  new ApiError('no_contact', 'The person has no address on this channel.', {
    errors: [{ pointer, code: 'no_contact', message: 'has no address on this channel' }],
  })

/** The files in order, with the names by which the HTML refers to them, and the HTML with these names. */
function attached(given: Taken[], cards: Card[], { html, cids }: Words) {
  const known = new Map(cards.map((card) => [card.id, card]))
  const missing = given.flatMap((file, i): Problem[] =>
    typeof file === 'string' && !known.has(file)
      ? [{ pointer: `/files/${i}`, code: 'unknown_id', message: 'There is no such file.' }]
      : [],
  )
  if (missing.length > 0)
    throw new ApiError('validation_failed', 'There is no such file.', { errors: missing })
  refuseLarge(sizeOf(given, cards))
  const names = given.map((file) => (typeof file === 'string' ? known.get(file)?.name : file.name))
  const shown = new Map<number, string>()
  const renamed = new Map<string, string>()
  for (const reference of cids) {
    const place = names.findIndex((name) => name && namesOfCid(reference).includes(name))
    const name = names[place]
    if (name === undefined)
      throw invalid(
        '/html',
        'unknown_file',
        reference === ''
          ? 'refers to cid: without the name of a file'
          : `refers to cid:${reference}, and no file has that name`,
      )
    // A name that is no Content-ID as it stands is replaced by one that every mail program finds.
    const cid = shown.get(place) ?? (isPlainCid(name) ? name : newId('cid'))
    shown.set(place, cid)
    if (cid !== name) renamed.set(reference, cid)
  }
  return {
    html: html === null ? null : withCids(html, renamed),
    files: given.map((file, i) => ({ file, cid: shown.get(i) ?? null })),
  }
}
