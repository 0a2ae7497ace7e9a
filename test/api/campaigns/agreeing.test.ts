import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { agreeLetters } from '../../../db/campaigns/agreements.ts'
import { lockBrief } from '../../../db/campaigns/campaigns.ts'
import { putUpForReview } from '../../../db/campaigns/touch-sending.ts'
import { findTouch } from '../../../db/campaigns/touches.ts'
import { givenCampaign } from '../../support/campaigns.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('agreeing while letters are written for review', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
  })
  after(() => service.close())

  const given = async () => {
    const room = await givenCampaign(service)
    await room.letters(false)
    equal((await room.move('running')).status, 200)
    const { touches } = (await room.call('GET', `/campaigns/${room.id}/touches`)).body
    const touch = { id: touches[0].id as string, campaign: room.id }
    const now = service.clock.now()
    const words = { subject: 'S', text: 'T', html: null, variant: null, toAddress: 'a@b.example' }
    const token = randomUUID()
    const written = {
      ...words,
      token,
      writtenAt: now,
      brief: 0,
      language: 'en',
      signedBy: null,
    } as const
    const state = async () => {
      const row = await findTouch(service.db, touch.id)
      return [row?.state, row?.text]
    }
    return { touch, written, state }
  }

  it('lets go also the letter that was being written when its place was agreed', async () => {
    const { db } = service
    const { touch, written, state } = await given()
    let put: Promise<unknown> | undefined
    await db.transaction().execute(async (trx) => {
      await lockBrief(trx, touch.campaign)
      await agreeLetters(trx, touch.campaign, [1])
      put = putUpForReview(db, touch, written)
      await Promise.race([put, new Promise((resolve) => setTimeout(resolve, 300))])
    })
    await put
    deepEqual(await state(), ['queued', 'T'])
  })

  it('finds a letter that was put up for review before it', async () => {
    const { db } = service
    const { touch, written, state } = await given()
    await putUpForReview(db, touch, written)
    deepEqual(await state(), ['review', 'T'])
    await db.transaction().execute(async (trx) => {
      await lockBrief(trx, touch.campaign)
      await agreeLetters(trx, touch.campaign, [1])
    })
    deepEqual(await state(), ['queued', 'T'])
  })
})
