import type { AddressKind } from './addresses.ts'

export const channelKinds = ['email', 'professional_network', 'messenger'] as const
/** The kind of service that an account of ours belongs to. */
export type ChannelKind = (typeof channelKinds)[number]

/** The kind of address by which people are known in each kind of channel. */
export const addressKindOf: Record<ChannelKind, AddressKind> = {
  email: 'email',
  messenger: 'phone',
  professional_network: 'linkedin',
}

export const isChannelKind = (text: string): text is ChannelKind =>
  Object.hasOwn(addressKindOf, text)
