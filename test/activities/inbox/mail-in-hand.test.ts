import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { fetchInTurn } from '../../../activities/inbox/in-hand.ts'
import { readMailAside } from '../../../activities/inbox/read-mail-aside.ts'
import { openPlaces } from '../../../process/limits/places.ts'

const mebibyte = 1024 * 1024

describe('mail in hand', function () {
  this.timeout(120_000)

  /** A mailbox on a server that hands out mails of the size it says. */
  function mailboxOf(fetched: (bytes: number) => void = () => {}) {
    let waited = 0
    return {
      waited: () => waited,
      fetch: async (uids: number[]) => {
        const raws = uids.map((uid) => [uid, mailOf(uid)] as const)
        fetched(raws.reduce((sum, [, raw]) => sum + raw.length, 0))
        return new Map(raws)
      },
      waitForMail: async (_ms: number, signal: AbortSignal) => {
        waited++
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    }
  }
  const mailOf = (size: number) => {
    const head = 'From: a@b.example\r\nSubject: x\r\n\r\n'
    const raw = Buffer.alloc(size, 'x'.repeat(76).concat('\r\n'))
    raw.write(head)
    return raw
  }
  const signal = new AbortController().signal

  it('never exceeds the room there is, however many mailboxes are read, and all mail is read', async () => {
    const budget = openPlaces({ name: 'test', all: 8 * mebibyte })
    let [inHand, most] = [0, 0]
    const mailbox = mailboxOf((bytes) => {
      inHand += bytes
      most = Math.max(most, inHand)
    })
    const read = await Promise.all(
      Array.from({ length: 24 }, async (_, i) => {
        const size = (1 + (i % 4)) * mebibyte
        const turn = { workspace: `wsp_${i % 5}`, budget, signal }
        const { raws, release } = await fetchInTurn(mailbox, [{ uid: size, size }], turn)
        const raw = raws.get(size)
        ok(raw)
        const { mail, broke } = await readMailAside(raw, new Date(0), turn.workspace)
        inHand -= size
        release()
        return [mail.subject, broke]
      }),
    )
    deepEqual(read, Array(24).fill(['x', null]))
    ok(most > 4 * mebibyte && most <= 8 * mebibyte, `${most}`)
    ok(mailbox.waited() > 0)
    equal(budget.inHand(), 0)
  })

  it('is not waited for after the worker is told to stop, or after the server closes the connection', async () => {
    const budget = openPlaces({ name: 'test', all: 10 })
    const release = await budget.take('a', { weight: 10 })
    const mails = [{ uid: 5, size: 5 }]
    const stop = new AbortController()
    const stopped = fetchInTurn(mailboxOf(), mails, {
      workspace: 'b',
      budget,
      signal: stop.signal,
    })
    setTimeout(() => stop.abort(new Error('stop')), 20)
    await rejects(stopped, /stop/)
    const broken = { ...mailboxOf(), waitForMail: () => Promise.reject(new Error('hung up')) }
    const lost = fetchInTurn(broken, mails, { workspace: 'c', budget, signal })
    await rejects(lost, /hung up/)
    release()
    equal(budget.inHand(), 0)
    const later = await fetchInTurn(mailboxOf(), [{ uid: 60, size: 60 }], {
      workspace: 'd',
      budget,
      signal,
    })
    equal(budget.inHand(), 60)
    later.release()
  })

  it('frees its room when it cannot be fetched', async () => {
    const budget = openPlaces({ name: 'test', all: 10 })
    const broken = { ...mailboxOf(), fetch: () => Promise.reject(new Error('hung up')) }
    const turn = { workspace: 'a', budget, signal }
    await rejects(fetchInTurn(broken, [{ uid: 5, size: 5 }], turn), /hung up/)
    equal(budget.inHand(), 0)
  })
})
