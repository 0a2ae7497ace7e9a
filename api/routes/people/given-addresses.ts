import { z } from 'zod'
import { nameBeside } from '../../../rules/address-cleaning.ts'
import { type Address, type AddressKind, leftOut, readAddress } from '../../../rules/addresses.ts'
import { cut } from '../../../rules/text.ts'
import { optional } from '../../shapes/shapes.ts'
import { once, wording } from './card-addresses.ts'

// The addresses in the body of a new person, each with the place where it stands.

/** An address as it was read, and the text that it was read from. */
type Given = { text: string; address: Address }
/** An address, and where it stands in the body. */
export type Placed = Address & { pointer: string }

const mostOfAKind = 100
const longest = 500
const longestName = 200

function given(kind: AddressKind, text: string, context: z.RefinementCtx): Given {
  const address = readAddress(kind, text)
  if (address) return { text, address }
  context.addIssue({ code: 'custom', message: `must be ${wording[kind]}` })
  return z.NEVER
}

// The interface leaves open what an empty text in email, phone or linkedin means: no address, as with a form field
// left blank.
export const contact = (kind: AddressKind) =>
  optional(z.string().max(longest)).transform((text, context) =>
    text === undefined || text.trim() === '' ? undefined : given(kind, text, context),
  )

/** All addresses of a kind, the first one first. */
export const contacts = (kind: AddressKind) =>
  optional(
    z
      .array(
        z
          .string()
          .max(longest)
          .transform((text, context) => given(kind, text, context)),
      )
      .max(mostOfAKind),
  )

const members = ['email', 'emails', 'phone', 'phones', 'linkedin'] as const
type Body = { [Member in (typeof members)[number]]?: Given | Given[] | undefined }

const placesOf = (body: Body) =>
  members.flatMap((member) => {
    const value = body[member] ?? []
    return Array.isArray(value)
      ? value.map((one, i) => ({ ...one, pointer: `/${member}/${i}` }))
      : [{ ...value, pointer: `/${member}` }]
  })

/** The addresses of a body, each once: that of `email` before those of `emails`. */
export const addressesIn = (body: Body): Placed[] =>
  once(placesOf(body).map(({ address, pointer }) => ({ ...address, pointer })))

/** What was left out of the texts of a body to read the addresses. */
export const cleanedIn = (body: Body) =>
  placesOf(body).flatMap(({ pointer, text, address }) => {
    const what = leftOut(address.kind, text)
    return what === undefined ? [] : [{ pointer, given: text, read: address.given, leftOut: what }]
  })

/** The name that stands before an e-mail address of a body, as in `Nadia Roth <nadia@roth.example>`; empty if there is none. */
export const nameIn = (body: Body): string =>
  placesOf(body)
    .map(({ text, address }) =>
      address.kind === 'email' ? cut(nameBeside(text), longestName) : '',
    )
    .find((name) => name !== '') ?? ''
