import type { AddressKind } from './addresses.ts'

/** What an account of ours is an account of. */
export type ChannelKind = 'email' | 'professional_network' | 'messenger'

/** By which of a person's addresses they are known in each kind of channel. */
export const addressKindOf: Record<ChannelKind, AddressKind> = {
  email: 'email',
  messenger: 'phone',
  professional_network: 'linkedin',
}

export const isChannelKind = (text: string): text is ChannelKind =>
  Object.hasOwn(addressKindOf, text)
