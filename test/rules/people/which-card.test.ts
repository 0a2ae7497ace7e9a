import { deepEqual, equal } from 'node:assert/strict'
import { type Address, type AddressKind, keyOf, readAddress } from '../../../rules/addresses.ts'
import {
  addAddresses,
  cardWith,
  freshOf,
  hasAnotherId,
  type KnownCards,
  whichCard,
} from '../../../rules/people/which-card.ts'

// Ann and Ben have addresses of their own and a desk; Cem has only that desk, and nobody else has Dora's number.
const cards: Record<string, string[]> = {
  ann: ['ann@x.test', '+49 30 1111111', '@ann-berg'],
  ben: ['ben@x.test', 'ben@home.test', '+49 30 1111111'],
  cem: ['+49 30 1111111'],
  dora: ['+49 30 2222222', 'dora@x.test'],
}

const kindOf = (text: string): AddressKind =>
  text.startsWith('@') ? 'linkedin' : text.includes('@') ? 'email' : 'phone'
const read = (text: string) => readAddress(kindOf(text), text) as Address

/** Who has these addresses, as it is looked up for a call or a row. */
function knownFor(given: string[]): KnownCards {
  const all: KnownCards = { owners: new Map(), emails: new Map() }
  for (const [card, texts] of Object.entries(cards)) addAddresses(all, card, texts.map(read))
  const keys = new Set(given.map(read).map(keyOf))
  return { ...all, owners: new Map([...all.owners].filter(([key]) => keys.has(key))) }
}

describe('which card a person is', () => {
  const desk = '+49 30 1111111'
  const rows: [what: string, given: string[], card: string | undefined, strangers: string[]][] = [
    ['nothing leads to nobody', [], undefined, []],
    ['an address that nobody has leads to nobody', ['new@x.test'], undefined, []],
    ['an e-mail address leads to whoever has it', ['ann@x.test'], 'ann', []],
    ['so does another spelling of it', ['ANN@X.test'], 'ann', []],
    ['so does a profile', ['@ann-berg'], 'ann', []],
    ['addresses of one person lead to that person', ['@ann-berg', 'ann@x.test'], 'ann', []],
    [
      'addresses of two lead to the first, and to a stranger',
      ['ann@x.test', 'ben@x.test'],
      'ann',
      ['ben'],
    ],
    ['in the order in which they are given', ['ben@x.test', 'ann@x.test'], 'ben', ['ann']],
    ['a number of one person leads to that person', ['+49 30 2222222'], 'dora', []],
    [
      'beside an unknown e-mail address it is only shared',
      ['new@x.test', '+49 30 2222222'],
      undefined,
      [],
    ],
    ['a number of several leads to all of them', [desk], 'ann', ['ben', 'cem']],
    ['beside the address of one it leads to that one', ['ben@x.test', desk], 'ben', []],
    ['wherever the number stands', [desk, 'ben@home.test'], 'ben', []],
    ['beside an unknown address it leads to who has none', ['new@x.test', desk], 'cem', []],
    [
      'an address of one and a number of another are two',
      ['@ann-berg', '+49 30 2222222'],
      'ann',
      ['dora'],
    ],
  ]
  for (const [what, given, card, strangers] of rows)
    it(what, () => {
      const found = whichCard({ addresses: given.map(read) }, knownFor(given))
      deepEqual([found.card, found.strangers.map(({ person }) => person)], [card, strangers])
    })

  const named: [what: string, card: string, given: string[], call: string[], row: string[]][] = [
    ['its own address', 'ann', ['ann@x.test'], [], []],
    ['an address that nobody has', 'ann', ['new@x.test'], [], []],
    ['an address of somebody else', 'ann', ['ben@x.test'], ['ben'], ['ben']],
    ['a number that it shares', 'ann', [desk], [], ['ben', 'cem']],
    ['a number of somebody with another e-mail address', 'ann', ['+49 30 2222222'], [], ['dora']],
    [
      'a number of somebody without an e-mail address',
      'dora',
      [desk],
      ['cem'],
      ['ann', 'ben', 'cem'],
    ],
    ['its own address and the number of another', 'ann', ['ann@x.test', '+49 30 2222222'], [], []],
    [
      'a number that goes with the address of somebody else',
      'ann',
      ['ben@x.test', desk],
      ['ben', 'ben'],
      ['ben', 'ben'],
    ],
  ]
  for (const [what, card, given, call, row] of named)
    it(`who is named counts, beside ${what}`, () => {
      const strangersOf = (mayShare: boolean) => {
        const asked = { addresses: given.map(read), named: { card, mayShare } }
        const found = whichCard(asked, knownFor(given))
        equal(found.card, card)
        return found.strangers.map(({ person }) => person)
      }
      deepEqual({ call: strangersOf(true), row: strangersOf(false) }, { call, row })
    })

  it('an address alone leads to its oldest card, and others share it', () => {
    const { card, strangers } = cardWith(read(desk), knownFor([desk]).owners)
    deepEqual([card, strangers.length], ['ann', 2])
  })

  it('a card that has gained an address is the one that it leads to', () => {
    const known = knownFor(['+49 30 2222222'])
    const gained = [read('@dora'), read('+49 30 2222222')]
    deepEqual(freshOf('dora', gained, known.owners), [gained[0]])
    addAddresses(known, 'dora', gained)
    equal(whichCard({ addresses: [read('@dora')] }, known).card, 'dora')
  })

  it('another id of the client’s own is another person', () => {
    const ids: [card: string | null | undefined, given: string | undefined, is: boolean][] = [
      ['1', '2', true],
      ['1', '1', false],
      ['1', undefined, false],
      [null, '1', false],
      [undefined, '1', false],
    ]
    for (const [has, given, is] of ids)
      equal(hasAnotherId(has === undefined ? undefined : { externalId: has }, given), is)
  })
})
