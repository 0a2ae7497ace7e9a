import { deepEqual, equal } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  beginTry,
  endVerification,
  insertVerification,
  noteOutcome,
  triesAtOnce,
  type VerificationRow,
} from '../../../db/accounts/verifications.ts'
import { secretKey } from '../../support/given.ts'
import { guardedSmtp } from '../../support/refusing-mail.ts'
import { startService, type TestService } from '../../support/service.ts'

// How many mailboxes of a workspace are tried at once, in however many processes.

describe('mailboxes that are tried at once', function () {
  this.timeout(120_000)
  let service: TestService
  before(async function () {
    service = await startService()
    await service.work(this.test?.ctx, {}, { only: ['rows', 'remote'] })
  })
  after(() => service.close())

  const password = 'secret'

  /** A workspace with so many tries that nobody carries out: those of another process. */
  async function given(tries: number) {
    const workspace = await service.workspace()
    const { id, member } = workspace
    const request = {
      ...{ member, name: 'x', limits: { limitDay: 1, limitWeek: 1, gapSeconds: 1 } },
      ...{ smtp: null, imap: null, discover: false, publicOnly: false, save: 'never' as const },
      ...{ client: null, key: null, instance: '/' },
    }
    const rows: Pick<VerificationRow, 'id' | 'workspace'>[] = []
    for (let n = 0; n < tries; n++) {
      const account = `box-${n}-of-${id}@boxes.example`
      const made = await service.db.transaction().execute((trx) =>
        insertVerification(trx, secretKey, {
          ...{ workspace: id, account, asker: account, secrets: { smtp: password } },
          request: { ...request, account },
        }),
      )
      rows.push({ id: made as string, workspace: id })
    }
    const begin = (some = rows) => Promise.all(some.map((row) => beginTry(service.db, row)))
    const end = async (row: (typeof rows)[number] | undefined) => {
      await noteOutcome(service.db, row as VerificationRow, { smtp: null, imap: null })
      await service.db
        .transaction()
        .execute((trx) => endVerification(trx, row as VerificationRow, null))
    }
    return { ...workspace, rows, begin, end }
  }

  it('are three of a workspace, and each place is free again with an outcome, or when its process has died', async () => {
    const { id, rows, begin, end } = await given(10)
    const first = await begin()
    equal(first.filter(Boolean).length, triesAtOnce)
    // Another attempt of one that is under way goes on in its place.
    deepEqual(await begin(), first)
    const other = await given(1)
    deepEqual(await other.begin(), [true])

    const begun = rows.filter((_, i) => first[i])
    const waiting = rows.filter((_, i) => !first[i])
    await end(begun[0])
    equal((await begin(waiting)).filter(Boolean).length, 1)
    // As long as a try takes at most has passed, since its process died.
    await service.db
      .updateTable('verifications')
      .set({ triedUntil: new Date(Date.now() - 1_000) })
      .where('workspace', '=', id)
      .where('id', '=', begun[1]?.id as string)
      .execute()
    equal((await begin(waiting)).filter(Boolean).length, 2)
  })

  it('wait for those of other processes, and go on by themselves', async () => {
    const { id, member, begin, end, rows } = await given(triesAtOnce)
    deepEqual(await begin(), [true, true, true])
    const smtp = await guardedSmtp(password)
    const { call } = await service.administration({ workspace: id })
    const account = `mine-of-${id}@boxes.example`
    const body = { account, member, password, smtp: { host: '127.0.0.1', port: smtp.port } }
    let isAnswered = false
    const key = `of-${id}`
    const add = async (): ReturnType<typeof call> => {
      const reply = await call('POST', `/workspaces/${id}/connections`, body, { key })
      return reply.status === 504 ? add() : reply
    }
    const adding = add().finally(() => {
      isAnswered = true
    })
    // Longer than its workflow takes to begin.
    await sleep(1_500)
    deepEqual([isAnswered, smtp.logins.length], [false, 0])
    await end(rows[1])
    const { status, text } = await adding
    equal(status, 200, text)
    equal(smtp.logins.length, 1)
  })
})
