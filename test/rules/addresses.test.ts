import { deepEqual, equal } from 'node:assert/strict'
import { comparedForm, inUnicode, readEmail } from '../../rules/addresses.ts'

describe('e-mail addresses', () => {
  const same = [
    ['ann@xn--mller-kva.example', 'ann@müller.example'],
    ['Ann@XN--MLLER-KVA.example', 'ann@müller.example'],
    ['ann@MÜLLER.example', 'ann@müller.example'],
    ['ann@mu\u0308ller.example', 'ann@müller.example'],
    ['ann@mail.xn--mller-kva.xn--p1ai', 'ann@mail.müller.рф'],
    ['ann@xn--strae-oqa.example', 'ann@straße.example'],
    ['ann@xn--j2bd4cyah0f.xn--h2brj9c', 'ann@हिन्दी.भारत'],
  ] as const
  for (const [one, other] of same)
    it(`${one} is ${other}`, () => {
      equal(readEmail(one)?.value, other)
      deepEqual(readEmail(other), { kind: 'email', value: other, given: other })
      equal(comparedForm(` ${one} `), other)
    })

  it('with a domain that cannot be written in Unicode stay as they are', () => {
    for (const address of ['ann@xn--a.example', 'ann@xn--99999999.example'])
      equal(readEmail(address)?.value, address)
    for (const text of ['', 'ann', '@', 'Ann@Example.com', 'ann@xn--', 'ann@[xn--mller-kva]'])
      equal(inUnicode(text), text)
  })

  it('keep the local part as it was given where they are only shown', () => {
    equal(inUnicode('Änn.B@xn--mller-kva.example'), 'Änn.B@müller.example')
    equal(inUnicode('xn--mller-kva@x.example'), 'xn--mller-kva@x.example')
  })
})
