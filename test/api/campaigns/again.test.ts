import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { touchSent } from '../../../db/campaigns/touch-life.ts'
import { lockTouch } from '../../../db/campaigns/touch-sending.ts'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('POST /campaigns/{id}/touches/{touch}/again', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** A first letter that came back for a reason of policy, and what would have followed it. */
  async function returned() {
    const sender = await givenSender(service)
    const letters = await lettersTo(service, sender, 'sending')
    const { db } = service
    await db
      .updateTable('touches')
      .set({ text: 'Dear Cleo', writtenAt: service.clock.now() })
      .where('id', '=', letters.ids[0] ?? '')
      .execute()
    await sender.receive({
      from: { name: '', address: 'mailer-daemon@mx.example' },
      automated: true,
      report: {
        ...{ kind: 'bounce', permanent: false, code: '5.7.1' },
        ...{ recipients: [sender.email], refersTo: [letters.messageId] },
      },
    })
    const path = `/campaigns/${letters.campaign}/touches`
    const list = async () =>
      (await sender.call('GET', path)).body.touches.map(
        ({ id, place, state, reason }: Record<string, unknown>) => [id, place, state, reason],
      )
    const again = (id = letters.ids[0]) => sender.call('POST', `${path}/${id}/again`)
    return { ...sender, ...letters, list, again, path }
  }

  /** What its settlement does once the server has taken a letter. */
  const sent = (id: string, messageId: string) =>
    service.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('touches')
        .set({ state: 'sending', attempt: 'b', messageId, claimedAt: service.clock.now() })
        .where('id', '=', id)
        .execute()
      await trx
        .updateTable('touches')
        .set((eb) => ({
          claimedDay: '2026-11-24',
          connection: eb
            .selectFrom('connections')
            .select('connections.id')
            .whereRef('connections.workspace', '=', 'touches.workspace')
            .orderBy('id')
            .limit(1),
        }))
        .where('id', '=', id)
        .execute()
      const letter = await lockTouch(trx, id)
      if (letter) await touchSent(trx, { letter, attempt: 'b', now: service.clock.now() }, true)
    })

  it('queues a new letter with the words of the one that came back, which others follow', async () => {
    const { ids, list, again, path, call, runner, campaign } = await returned()
    const { status, body, text } = await again()
    equal(status, 200, text)
    notEqual(body.id, ids[0])
    deepEqual(
      [body.place, body.state, body.reason, body.text, body.agreed, body.messageId],
      [1, 'queued', null, 'Dear Cleo', true, null],
    )
    const before = (await call('GET', `${path}/${ids[0]}`)).body
    deepEqual([before.place, before.state, before.again], [1, 'failed', body.id])
    const signals = await service.db
      .selectFrom('outbox')
      .select('signal')
      .where('workflowId', '=', runner)
      .execute()
    equal(signals.at(-1)?.signal, 'changed')
    await sent(body.id, '<new@us.example>')
    const following = (await list()).filter(([, , state]: string[]) => state === 'queued')
    deepEqual(
      following.map(([, place]: unknown[]) => place),
      [2],
    )
    const { progress } = (await call('GET', `/campaigns/${campaign}`)).body.campaign
    equal(progress.written, 1)
    const [entry] = (await call('GET', '/audit')).body.entries
    deepEqual([entry.action, entry.resource, entry.after.letter], ['touch.again', body.id, ids[0]])
  })

  it('sends a letter anew as often as it comes back', async () => {
    const { list, again } = await returned()
    let id: string | undefined
    for (const round of [1, 2, 3, 4]) {
      const { status, body, text } = await again(id)
      equal(status, 200, text)
      id = body.id as string
      await service.db
        .updateTable('touches')
        .set({ state: 'failed', reason: 'refused', messageId: `<${round}@us.example>` })
        .where('id', '=', id)
        .execute()
    }
    deepEqual((await list()).map(([, place]: unknown[]) => place).toSorted(), [1, 1, 1, 1, 1, 2, 3])
  })

  it('says why it sends none that is not failed, follows another, or may not go any more', async () => {
    const { ids, again, campaign, receive, email, call } = await returned()
    const refusal = async (id?: string) => {
      const { status, body } = await again(id)
      return [status, body.code, body.detail]
    }
    match(String(await refusal(ids[1])), /409,invalid_state,It was never sent/)
    const added = await call('POST', '/suppressions', { address: email })
    deepEqual((await refusal()).slice(0, 2), [422, 'recipient_suppressed'])
    await call('DELETE', `/suppressions/${added.body.id}`)
    const move = (state: 'done' | 'running') =>
      service.db.updateTable('campaigns').set({ state }).where('id', '=', campaign).execute()
    await move('done')
    match(String(await refusal()), /409,invalid_state,The campaign is done/)
    await move('running')
    await service.db
      .updateTable('touches')
      .set({ state: 'sent' })
      .where('id', '=', ids[1] ?? '')
      .set({ sentAt: new Date(service.clock.now().getTime() - 1000) })
      .execute()
    match(String(await refusal(ids[1])), /409,invalid_state,A letter that is sent/)
    await receive({ at: service.clock.now() })
    match(String(await refusal()), /409,invalid_state,The person has answered/)
  })

  it('knows no letters of other workspaces, and needs both scopes', async () => {
    const [own, other] = [await returned(), await returned()]
    equal((await own.call('POST', `${other.path}/${other.ids[0]}/again`)).status, 404)
    const token = await own.tokenWith(['inbox:read', 'send'])
    const path = `${own.path}/${own.ids[0]}/again`
    equal((await own.call('POST', path, undefined, { token })).status, 403)
  })
})
