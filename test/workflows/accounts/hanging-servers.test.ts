import { deepEqual, equal, ok } from 'node:assert/strict'
import { startGateway } from '../../support/gateway.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { testMail } from '../../support/mail.ts'
import {
  comesTo,
  eventually,
  reaches,
  type SharedService,
  sharedService,
} from '../../support/service.ts'

describe('servers of a tenant that never answer', function () {
  this.timeout(180_000)

  describe('mail servers', () => {
    let service: SharedService
    before(async function () {
      service = await sharedService(this.test?.ctx)
    })

    async function given() {
      const gateway = await startGateway({ hangsUpAfterMs: 1_000 })
      const mail = await testMail()
      const [stuck, other] = await Promise.all([
        service.workspace({ smtpPort: gateway.port }),
        service.workspace({ smtpPort: mail.smtpPort }),
      ])
      return { gateway, mail, stuck, other }
    }

    it('get few letters at once; the letters of others go, and all go once when the servers answer', async () => {
      const size = 40
      const { gateway, mail, stuck, other } = await given()
      const sent = await Promise.all(Array.from({ length: size }, (_, i) => send(stuck, i)))
      await reaches(() => gateway.most(), 1)
      const othersLetter = await send(other, size)
      await comesTo(() => mail.messages().length, 1, 60_000)
      await eventually(
        () => stateOf(stuck, sent[0]),
        ({ waitingFor }) => waitingFor === 'connection',
        60_000,
      )
      ok(gateway.most() <= 4, `${gateway.most()} connections at once`)

      gateway.openTo(mail.smtpPort)
      await comesTo(() => mail.messages().length, size + 1, 120_000)
      for (const letter of sent)
        await eventually(
          () => stateOf(stuck, letter),
          ({ state }) => state === 'done',
        )
      const to = mail.messages().flatMap((message) => message.to)
      deepEqual(to.sort(), [...sent, othersLetter].map(({ email }) => email).sort())
      ok(gateway.most() <= 4, `${gateway.most()} connections at once`)
    })

    it('get few health checks at once, and the checks of others are answered', async () => {
      const { gateway, stuck, other } = await given()
      const check = (of: typeof stuck) => of.call('POST', '/senders/health/check', {})
      const checks = Array.from({ length: 30 }, () => check(stuck))
      await reaches(() => gateway.most(), 8)
      equal((await check(other)).status, 200)
      await Promise.all(checks)
      // Each check logs in to every account.
      ok(gateway.most() <= 8 * stuck.connections.length, `${gateway.most()} connections at once`)
    })

    type Workspace = Awaited<ReturnType<typeof service.workspace>>

    async function send(workspace: Workspace, i: number) {
      const { id: own, call, connections } = workspace
      const email = `client-${i}-${own}@client.example`.toLowerCase()
      const at = service.clock.now()
      const [person = ''] = await givenPeople(service.db, own, [{ name: 'Cleo', email }], at)
      const connection = connections[0]
      const id = await givenConversation(service.db, own, { person, connection, from: email, at })
      const key = `message-${i}-of-${own}`
      const text = `Message ${i}`
      equal((await call('POST', `/conversations/${id}/messages`, { text }, { key })).status, 200)
      return { email, key }
    }

    async function stateOf({ call }: Workspace, letter: { key: string } | undefined) {
      return (await call('GET', `/operations/${letter?.key}`)).body
    }
  })
})
