import { deepEqual } from 'node:assert/strict'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

const dated = new Date('2026-11-23T08:00:00Z')
const junk = { dated, folder: 'Junk', suspect: true }

describe('a mail that lay in Junk', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given() {
    const sender = await givenSender(service)
    const { states } = await lettersTo(service, sender)
    const { externalId } = sender.mail()
    const first = await sender.receive({ externalId, ...junk })
    const again = (more = {}) => sender.receive({ externalId, dated, folder: 'INBOX', ...more })
    const shown = async () => {
      const all = await sender.messages(first.conversation)
      return all.map(({ suspect, folder }: Record<string, unknown>) => [suspect, folder])
    }
    return { ...sender, states, first, again, shown }
  }

  it('has its effects once its owner has moved it, also if it is read twice at once', async () => {
    const { states, first, again, shown } = await given()
    deepEqual(await states(), ['sent', 'queued', 'review'])
    const both = await Promise.all([again(), again()])
    deepEqual(both.map(({ fresh }) => fresh).toSorted(), [false, true])
    deepEqual(
      both.map(({ message }) => message),
      [first.message, first.message],
    )
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
    deepEqual(await shown(), [[false, 'INBOX']])
  })

  it('stays suspect where it lies, elsewhere while its server disowns it, and under other words', async () => {
    const { states, again, shown } = await given()
    for (const more of [{ folder: 'Junk' }, { suspect: true }, { text: 'Other words.' }])
      await again(more)
    deepEqual(await states(), ['sent', 'queued', 'review'])
    deepEqual(await shown(), [[true, 'Junk']])
  })

  it('has no effect a second time when it is moved on', async () => {
    const { again } = await given()
    await again()
    deepEqual((await again({ folder: 'Clients' })).fresh, false)
  })
})
