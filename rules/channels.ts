import type { AddressKind } from './addresses.ts'

/** The kind of service that an account of ours belongs to. */
export type ChannelKind = 'email' | 'professional_network' | 'messenger'

/** The kind of address by which people are known in each kind of channel. */
export const addressKindOf: Record<ChannelKind, AddressKind> = {
  email: 'email',
  messenger: 'phone',
  professional_network: 'linkedin',
}

export const isChannelKind = (text: string): text is ChannelKind =>
  Object.hasOwn(addressKindOf, text)
