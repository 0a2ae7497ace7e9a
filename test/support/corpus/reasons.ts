/** Why a server does not deliver, in the words of one that gives codes and of one that does not. */
export type Reason = {
  name: 'unknown' | 'full' | 'domain' | 'disabled' | 'policy' | 'expired'
  reply: string
  code: string
  permanent: boolean
  says: string
}

export const reasons: Record<Reason['name'], Reason> = {
  unknown: { name: 'unknown', reply: '550', code: '5.1.1', permanent: true, says: 'User unknown' },
  full: { name: 'full', reply: '552', code: '5.2.2', permanent: false, says: 'Mailbox is full' },
  domain: {
    name: 'domain',
    reply: '550',
    code: '5.1.2',
    permanent: true,
    says: 'Host unknown (Domain not found)',
  },
  disabled: {
    name: 'disabled',
    reply: '550',
    code: '5.2.1',
    permanent: true,
    says: 'This account has been disabled',
  },
  policy: {
    name: 'policy',
    reply: '554',
    code: '5.7.1',
    permanent: false,
    says: 'Message rejected due to local policy',
  },
  expired: {
    name: 'expired',
    reply: '451',
    code: '4.4.7',
    permanent: false,
    says: 'Delivery time expired',
  },
}
