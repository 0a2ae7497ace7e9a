import { deepEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { unlikeTheirShape } from '../../support/event-data.ts'
import { givenRoom, type Room } from '../../support/samples.ts'
import { startService, type TestService } from '../../support/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is walked member by member.
type Any = any

for (const variant of ['full', 'reduced'] as const)
  describe(`the examples of the reference of the ${variant} deployment`, () => {
    let service: TestService
    let room: Room
    let calls: { method: string; path: string; body: Any }[]

    before(async () => {
      service = await startService({ patience: { dispatchMs: 0 }, variant })
      room = await givenRoom(service)
      const api: Any = await (await fetch(`${service.url}/openapi.json`)).json()
      // A stream does not end.
      const { '/api/v1/events/stream': _, ...paths } = api.paths
      calls = Object.entries<Any>(paths).flatMap(([path, methods]) =>
        Object.entries<Any>(methods).map(([method, { parameters, requestBody }]) => ({
          method: method.toUpperCase(),
          path: path
            .replace('/api/v1', '')
            .replace(/\{(\w+)\}/g, (_, name) =>
              encodeURIComponent(parameters.find((one: Any) => one.name === name).example),
            )
            .concat(
              parameters.some((one: Any) => one.in === 'query' && one.required) ? '?q=room' : '',
            ),
          body: requestBody?.content['application/json'].example,
        })),
      )
    })
    after(() => service.close())

    /** Things of this workspace in place of those of the examples: of the same kind, or the call is refused. */
    function here<T>(example: T): T {
      const kinds: Record<string, (string | undefined)[]> = {
        per: [room.person, room.other],
        cnv: [room.ids['conversations']],
        msg: [room.ids['messages']],
        seg: [room.ids['segments']],
        cmp: [room.ids['campaigns']],
        agt: [room.agent],
        prd: [room.product],
        com: [room.company],
        mem: [room.member],
        con: room.connections,
        mtg: [room.ids['calendar']],
        dea: [room.ids['deals']],
        fil: [room.ids['files']],
        whk: [room.ids['webhooks']],
        dlv: [room.ids['deliveries']],
        sup: [room.ids['suppressions']],
        ntf: [room.notification],
        prp: [room.ids['proposals']],
      }
      const text = JSON.stringify(example ?? null)
        .replaceAll('6f1d7c1e-8a54-4a0e-9d39-0d4b3a3a5a11', room.key)
        .replaceAll('2b9e4d70-5c1f-4f0a-8a36-7d1c0e9b5f22', room.imported)
        .replace(/\b([a-z]{3})_01m5q8y2k7cv(\d+)\b/g, (id, kind, n) => {
          const [one, ...others] = kinds[kind] ?? [id]
          return [one, ...others][(n - 3) % (1 + others.length)] ?? id
        })
      return JSON.parse(text) ?? undefined
    }

    /** A touch is one of its campaign. */
    const placeOf = (path: string) =>
      path.includes('/touches/')
        ? `/campaigns/${room.ids['touched']}/touches/${room.ids['unconfirmedTouch']}${/\/(resolve|again)$/.exec(path)?.[0] ?? ''}`
        : path.endsWith('/split')
          ? `/people/${room.person}/split`
          : path.endsWith('/invitation')
            ? `/messages/${room.ids['invited']}/invitation`
            : here(path.replace('/proposals/proposal', `/proposals/${room.ids['proposals']}`))

    /** What is split off a card must be one of its addresses, and a merged one another card. */
    const ofTheirs = (path: string, body: Any) =>
      path.endsWith('/split')
        ? { emails: ['kim-0@client.example'] }
        : path.endsWith('/merge')
          ? { from: [room.twin] }
          : body

    // Each is accepted as it stands, or refused for what has become of the things it names.
    const taken = (status: number) => status === 200 || [409, 504].includes(status)

    it('are accepted by the service', async function () {
      this.timeout(120_000)
      const send = async (some: typeof calls) => {
        const answers = await Promise.all(
          some.map(async ({ method, path, body }) => {
            const key = randomUUID()
            const answer = await room.call(method, placeOf(path), ofTheirs(path, here(body)), {
              key,
            })
            return { call: `${method} ${path}`, status: answer.status, text: answer.text }
          }),
        )
        return answers.filter(({ status }) => !taken(status))
      }
      deepEqual(await send(calls.filter(({ method }) => method !== 'DELETE')), [])
      // What belongs to something is deleted before it.
      const deletes = calls.filter(({ method }) => method === 'DELETE')
      const depth = ({ path }: { path: string }) => path.split('/').length
      for (const call of deletes.toSorted((a, b) => depth(b) - depth(a)))
        deepEqual(await send([call]), [])
    })

    it('record events that are as the document describes them', async () => {
      deepEqual(await unlikeTheirShape(service.db), [])
    })

    it('name things only by ids of their kind', () => {
      const ids = JSON.stringify(calls).match(/\b[a-z]{3}_\w+/g) ?? []
      deepEqual(
        ids.filter((id) => !/^[a-z]{3}_01m5q8y2k7cv\d+$/.test(id)),
        [],
      )
    })
  })
