import { equal } from 'node:assert/strict'
import { addressKindOf, isChannelKind } from '../../rules/channels.ts'
import { sideMeant } from '../../rules/sides.ts'

describe('the kind of a channel', () => {
  const kinds = [
    ['email', 'email'],
    ['messenger', 'phone'],
    ['professional_network', 'linkedin'],
  ] as const
  for (const [channel, address] of kinds)
    it(`${channel} knows people by ${address}`, () => equal(addressKindOf[channel], address))

  for (const [text, is] of [
    ['messenger', true],
    ['pigeon', false],
    ['constructor', false],
  ] as const)
    it(`${text} is ${is ? '' : 'not '}a kind of channel`, () => equal(isChannelKind(text), is))
})

describe('the side that a word means', () => {
  const sides: [text: string, side: string | undefined][] = [
    ['buyer', 'buyer'],
    ['client', 'buyer'],
    ['seller', 'seller'],
    ['partner', 'seller'],
    ['Buyer', undefined],
    ['constructor', undefined],
  ]
  for (const [text, side] of sides)
    it(`“${text}” means ${side ?? 'no side'}`, () => equal(sideMeant(text), side))
})
