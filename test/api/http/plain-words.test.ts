import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { startService, type TestService } from '../../support/service.ts'

// What is wrong with a call or a variable is described in plain English, not in the validator's words.

type Problem = { pointer?: string; parameter?: string; code: string; message: string }

describe('what is wrong with a call', () => {
  let service: TestService
  let call: Awaited<ReturnType<TestService['workspace']>>['call']
  before(async () => {
    service = await startService({ patience: { dispatchMs: 0 } })
    call = (await service.workspace()).call
  })
  after(() => service.close())

  const cases: [path: string, body: unknown, told: string[]][] = [
    ['/segments', {}, ['/query: is required unless a rule has a field (required)']],
    ['/webhooks', {}, ['/url: is missing (invalid_type)']],
    ['/segments', { query: 7 }, ['/query: must be a string, not a number (invalid_type)']],
    ['/webhooks', { url: null }, ['/url: must be a string, not null (invalid_type)']],
    ['/segments', { query: ' ' }, ['/query: must not be empty (too_small)']],
    [
      '/segments',
      { query: 'a'.repeat(100_000) },
      ['/query: must have at most 2000 characters (too_big)'],
    ],
    [
      '/segments',
      { query: 'a', rulse: [] },
      [
        '/rulse: is not a known member; did you mean rules? Known are query, rules, refill, segment and name (unknown_member)',
      ],
    ],
    [
      '/segments',
      { query: 'a', zzz: 1 },
      [
        '/zzz: is not a known member; known are query, rules, refill, segment and name (unknown_member)',
      ],
    ],
    ['/segments', [], [': must be an object, not a list (invalid_type)']],
    [
      '/campaigns/cmp_x/state',
      { to: 'stopped' },
      ['/to: must be running, paused or done (invalid_value)'],
    ],
    ['/campaigns/cmp_x/state', {}, ['/to: is missing (invalid_value)']],
  ]
  for (const [path, body, told] of cases)
    it(`in POST ${path} ${JSON.stringify(body).slice(0, 40)} is described as ${told[0]}`, async () => {
      const reply = await call('POST', path, body)
      equal(reply.status, 422, reply.text)
      deepEqual(
        reply.body.errors.map(
          ({ pointer, code, message }: Problem) => `${pointer}: ${message} (${code})`,
        ),
        told,
      )
      equal(reply.body.detail, told[0]?.replace(/^: | \(\w+\)$/g, ''))
    })

  it('is described by its parameter in a query', async () => {
    const reply = await call('GET', '/people?limitt=3&limit=0')
    deepEqual(
      reply.body.errors.map((problem: Problem) => Object.values(problem).join(' ')),
      [
        'limit invalid_value must be a whole number from 1 to 200',
        'limitt unknown_member is not a known parameter; did you mean limit? Known are cursor, limit, q, label, side, externalId, email, phone, linkedin, field and updatedSince',
      ],
    )
  })

  it("is not described in the validator's words at any address, for an empty body or wrong types", async () => {
    const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { requestBody?: unknown }>>
    }
    const technical = /Invalid|expected|received|undefined|NaN|Too (?:big|small)|Unrecognized/
    let judged = 0
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { requestBody }] of Object.entries(methods)) {
        if (!requestBody || !path.startsWith('/')) continue
        const concrete = path.replace(/^\/api\/v1/, '').replace(/\{\w+\}/g, 'x')
        const members = JSON.stringify(requestBody).match(/"(\w+)":\{/g) ?? []
        const odd = Object.fromEntries(members.map((name) => [name.slice(1, -3), { odd: true }]))
        for (const body of [{}, [], odd, 'text', 7, null]) {
          const { status, body: answer } = await call(
            method.toUpperCase(),
            concrete,
            JSON.stringify(body),
          )
          if (status !== 422 || !answer.errors) continue
          judged++
          const said = [answer.detail, ...answer.errors.map(({ message }: Problem) => message)]
          deepEqual(
            said.filter((text) => technical.test(text)),
            [],
            `${method} ${path}`,
          )
          ok(!answer.errors.some(({ code }: Problem) => code === 'custom'), `${method} ${path}`)
        }
      }
    ok(judged > 100, `${judged} answers were looked at`)
  })
})

describe('what is wrong with the environment', () => {
  const start = (env: NodeJS.ProcessEnv) =>
    new Promise<{ code: unknown; said: string }>((resolve) =>
      execFile(
        process.execPath,
        ['api/server.ts'],
        { cwd: join(import.meta.dirname, '../../..'), env: { DATA_DIR: '/nowhere', ...env } },
        (error, _, said) => resolve({ code: error?.code, said }),
      ),
    )

  it('is described by variable, without a stack trace', async () => {
    const { code, said } = await start({
      PORT: 'abc',
      RATE_READS: '0',
      CLOCK: 'monday',
      VARIANT: 'small',
      PUBLIC_URL: 'example.com',
      WEBHOOK_ALLOW_PRIVATE: 'perhaps',
    })
    equal(code, 1)
    deepEqual(said.trimEnd().split('\n'), [
      'The environment is not usable:',
      '  PORT: must be a whole number from 0 to 65535',
      '  PUBLIC_URL: must be an address, such as https://example.com',
      '  VARIANT: must be full or reduced',
      '  CLOCK: must be a timestamp with an offset, such as 2026-11-23T09:00:00Z',
      '  RATE_READS: must be a whole number, 1 or more',
      '  WEBHOOK_ALLOW_PRIVATE: must be true or false',
    ])
    match(said, /^The environment/)
  })
})
