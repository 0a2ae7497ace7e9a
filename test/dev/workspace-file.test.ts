import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Db, openDatabase } from '../../db/database.ts'
import { connectionSecrets } from '../../db/secrets.ts'
import { applyWorkspaceFile } from '../../dev/operator/workspace-apply.ts'
import { parseWorkspaceFile } from '../../dev/operator/workspace-file.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'

const run = promisify(execFile)
const secretKey = { current: 'a secret key of the tests' }
const now = new Date('2026-11-23T09:00:00.000Z')

/** The file of the documentation, with this workspace name, so that each test has its own. */
const file = (
  n: string,
) => `workspace: { id: wsp_${n}, name: Demo, timezone: Europe/Berlin, tagging: true }
house: Be brief.
members: [{ id: mem_${n}, name: Ana Ruiz, email: ana@example.test, jobTitle: Sales, zone: Inbound, signature: "Ana" }]
connections:
  - { id: con_${n}, kind: email, name: Ana's mailbox, account: ana@example.test, member: mem_${n}, limits: { day: 40 },
      smtp: { host: 127.0.0.1, port: "\${SMTP_PORT:-3025}", secure: false, user: ana, password: "\${ANA_PASSWORD}", tls: { servername: x } } }
products: [{ id: prd_${n}, name: CRM, description: A light CRM, side: sell, goal: demo, conditions: [{ price: 49 EUR }], markets: [DE] }]
companies: [{ id: com_${n}, name: Us Ltd, pitch: Calm., policy: No politics., facts: [{ label: founded, value: "2019" }], markets: [DE] }]
agents: [{ id: agt_${n}, name: Eva, company: com_${n}, goal: Book a demo, rules: Polite., knowledge: "…", enabled: true, labels: [CRM],
           channels: [con_${n}], hours: { from: "08:00" } }]
prospects: people.csv
people:
  - { id: per_${n}, name: Ben, email: Ben@Client.example, phone: "+442079460001", tags: [{ label: CRM, side: client }] }
conversations:
  - id: cnv_${n}
    person: per_${n}
    connection: con_${n}
    subject: A question
    labels: [pricing]
    messages:
      - { direction: inbound, at: -2d, text: "What does it cost?", files: [{ name: a.txt, type: text/plain, content: aGVsbG8= }] }
      - { direction: outbound, at: 2026-11-22T09:00:00Z, text: 49 EUR. }
`
const env = { ANA_PASSWORD: 'hidden' }

describe('a workspace file', () => {
  const problems = (text: string, variables: NodeJS.ProcessEnv = env) =>
    parseWorkspaceFile(text, variables).problems.map(({ line, message }) => `${line}: ${message}`)

  it('that is valid has no problems', () => {
    deepEqual(problems(file('a')), [])
  })

  it('has all its wrong lines named at once', () => {
    const text = file('a')
      .replace('tagging: true', 'taging: true')
      .replace('Europe/Berlin', 'Europe/Nowhere')
      .replace('kind: email', 'kind: post')
      .replace('company: com_a', 'company: com_b')
      .replace('from: "08:00"', 'from: eight')
      .replace('at: -2d', 'at: yesterday')
    deepEqual(problems(text), [
      '1: workspace.timezone must be an IANA time zone name',
      '1: workspace.taging is unknown here; did you mean tagging?',
      '5: connections[0].kind must be email, professional_network or messenger',
      '9: agents[0].company names no company of this file: com_b; did you mean com_a?',
      '10: agents[0].hours.from must be a time of day as HH:MM',
      '21: conversations[0].messages[0].at must be a timestamp such as 2026-11-23T09:00:00Z, or a time before now such as -2d, -3h or -1d4h30m',
    ])
  })

  it('has its TLS settings checked, and unknown members of a server refused', () => {
    const server = (more: string) =>
      problems(file('a').replace('tls: { servername: x }', more)).map((problem) =>
        problem.slice(0, 70),
      )
    for (const right of ['tls: none', 'tls: required', 'tls: { ca: PEM }', 'dkimSelector: k1'])
      deepEqual(server(right), [])
    deepEqual(server('requireTLS: true'), ['6: connections[0].smtp.requireTLS is unknown here'])
    deepEqual(server('filesSent: true'), ['6: connections[0].smtp.filesSent is unknown here'])
    deepEqual(server('tls: maybe'), [
      '6: connections[0].smtp.tls must be required, none, or an object of ser',
    ])
    deepEqual(server('tls: { rejectUnauthorized: false }'), [
      '6: connections[0].smtp.tls.rejectUnauthorized is unknown here',
    ])
    const both = file('a').replace('secure: false', 'secure: true')
    deepEqual(problems(both.replace('tls: { servername: x }', 'tls: none')), [
      '6: connections[0].smtp.tls is none, although secure is true: these contradict each other',
    ])
    const imap = 'tls: none }, imap: { host: h, port: 143, idle: true'
    deepEqual(server(imap), ['6: connections[0].imap.idle is unknown here'])
  })

  it('may not have a calendar over http to which a password would be sent', () => {
    const calendar = (caldav: string) =>
      problems(
        `${file('a')}calendars: [{ id: cal_a, name: A, member: mem_a, caldav: { ${caldav} } }]\n`,
      )
    deepEqual(calendar('url: "http://dav.example/a/", user: a, password: b'), [
      '23: calendars[0].caldav.url must be https, since a password is sent there (or set tls: none)',
    ])
    deepEqual(calendar('url: "https://dav.example/a/", pasword: b'), [
      '23: calendars[0].caldav.pasword is unknown here; did you mean password?',
    ])
    for (const right of [
      'url: "http://dav.example/a/", user: a, password: b, tls: none',
      'url: "http://127.0.0.1:5232/a/", user: a, password: b',
      'url: "http://dav.example/a/"',
    ])
      deepEqual(calendar(right), [])
  })

  it('names one or more mail servers that authenticate mail', () => {
    const named = (authserv: string) =>
      problems(file('a').replace('limits: { day: 40 }', `authserv: ${authserv}`))
    for (const authserv of ['MX.us.example', '[mx1.us.example, mx2.us.example]', '[]', '~'])
      deepEqual(named(authserv), [], authserv)
    const said = 'must be the name of a mail server, such as mx.example.com'
    for (const authserv of ['"mx us"', '"mx;x"', '""', '"-"'])
      deepEqual(named(authserv), [`5: connections[0].authserv[0] ${said}`], authserv)
  })

  it('has variables that are not set named by line', () => {
    deepEqual(problems(file('a'), {}), ['6: the environment variable ANA_PASSWORD is not set'])
    deepEqual(problems(file('a'), { ANA_PASSWORD: '' }), [
      '6: the environment variable ANA_PASSWORD is not set',
    ])
  })

  it('reads a port from a variable, and $${ literally', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: these are the file's own variables.
    const text = file('a').replace('Be brief.', () => 'Use $${NAME}, not ${WORD:-more}.')
    const { file: read } = parseWorkspaceFile(text, { ...env, SMTP_PORT: '2525' })
    equal(read?.connections?.[0]?.smtp?.port, 2525)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
    equal(read?.house, 'Use ${NAME}, not more.')
  })

  it('has invalid YAML named by line', () => {
    ok(problems('workspace: {\n').every((problem) => /^\d+: /.test(problem)))
    deepEqual(
      problems('workspace: {id: a, id: b}').map((p) => p.split(':')[0]),
      ['1'],
    )
    deepEqual(problems(''), ['1: workspace is missing'])
  })

  it('accepts workspace ids of up to 64 characters, without a colon', () => {
    const id = (name: string) => problems(`workspace: { id: "${name}", name: A, timezone: UTC }`)
    deepEqual(id('w'.repeat(64)), [])
    equal(id('w'.repeat(65)).length, 1)
    equal(id('a:b').length, 1)
  })

  it('has addresses that two people share, and ids given twice, named', () => {
    const two = `  - { id: per_b, name: Cy, emails: [cy@client.example, "ben@client.example"] }\n`
    const text = file('a').replace(
      'conversations:\n',
      `${two}  - { id: per_b, name: Dee }\nconversations:\n`,
    )
    deepEqual(problems(text), [
      '14: people[1].emails[1] also belongs to per_a',
      '15: people[2].id is given twice: per_b',
    ])
  })
})

describe('applying a workspace file', () => {
  let database: TestDatabase
  let db: Db
  let folder: string

  before(async () => {
    database = await createTestDatabase()
    db = openDatabase(database.url, 4)
    folder = mkdtempSync(join(tmpdir(), 'workspace-file-'))
    writeFileSync(join(folder, 'people.csv'), 'name,email,city\nCy,cy@prospect.example,Bonn\n')
  })
  after(async () => {
    await db.destroy()
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  const save = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  async function apply(
    text: string,
    options: { plan?: boolean; env?: NodeJS.ProcessEnv; now?: Date } = {},
  ) {
    const outcome = await applyWorkspaceFile(db, {
      path: save('w.yml', text),
      env,
      secretKey,
      now,
      ...options,
    })
    if (outcome.problems) throw new Error(outcome.problems.map(({ message }) => message).join('\n'))
    return outcome.changes
  }
  type Read = 'agents' | 'companies' | 'connections' | 'people' | 'conversations' | 'members'
  const one = <T extends Read>(table: T, id: string) =>
    db
      .selectFrom(table as 'agents')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst() as Promise<
      // biome-ignore lint/suspicious/noExplicitAny: rows of several tables are read member by member.
      any
    >

  it('creates what it describes', async () => {
    const changes = await apply(file('new'))
    deepEqual(changes, [
      '+ workspace wsp_new',
      '+ member mem_new',
      '+ connection con_new',
      '+ product prd_new',
      '+ company com_new',
      '+ agent agt_new',
      '~ prospects: 1',
      '+ people: per_new',
      '+ conversations: cnv_new',
    ])
    const connection = await one('connections', 'con_new')
    const { limitDay, limitWeek, gapSeconds } = connection
    deepEqual({ limitDay, limitWeek, gapSeconds }, { limitDay: 40, limitWeek: 250, gapSeconds: 30 })
    const smtp = {
      host: '127.0.0.1',
      port: 3025,
      secure: false,
      user: 'ana',
      tls: { servername: 'x' },
    }
    deepEqual(connection.smtp, smtp)
    deepEqual(connectionSecrets(secretKey, connection), { smtp: 'hidden' })
    const agent = await one('agents', 'agt_new')
    deepEqual(agent.labels, ['prd_new'])
    deepEqual(agent.hours, { zone: 'Europe/Berlin', from: '08:00', to: '18:00', daysOff: [] })
    const conversation = await one('conversations', 'cnv_new')
    equal(conversation.waitingFor, 'client')
    equal(conversation.lastMessageAt.toISOString(), '2026-11-22T09:00:00.000Z')
    const messages = await db
      .selectFrom('messages')
      .selectAll()
      .where('conversation', '=', 'cnv_new')
      .orderBy('at')
      .execute()
    equal(messages[0]?.at.toISOString(), '2026-11-21T09:00:00.000Z')
    equal(messages[0]?.senderHandle, 'ben@client.example')
    const content = await db
      .selectFrom('files')
      .select('content')
      .where('message', '=', messages[0]?.id ?? '')
      .execute()
    deepEqual(
      content.map((row) => row.content.toString()),
      ['hello'],
    )
  })

  it('a second time changes nothing, even after a restart on another day', async () => {
    await apply(file('twice'))
    const later = new Date('2026-12-24T09:00:00.000Z')
    deepEqual(await apply(file('twice'), { now: later }), [])
  })

  it('keeps what clients have changed since', async () => {
    await apply(file('kept'))
    await db
      .updateTable('agents')
      .set({ goal: 'Theirs', enabled: false })
      .where('id', '=', 'agt_kept')
      .execute()
    await db
      .updateTable('members')
      .set({ signature: 'Theirs' })
      .where('id', '=', 'mem_kept')
      .execute()
    await db
      .updateTable('workspaces')
      .set({ timezone: 'Asia/Tokyo' })
      .where('id', '=', 'wsp_kept')
      .execute()
    deepEqual(await apply(file('kept')), [])
    const changed = file('kept').replace('rules: Polite.', 'rules: Very polite.')
    deepEqual(await apply(changed), ['~ agent agt_kept: rules'])
    const { goal, enabled, rules } = await one('agents', 'agt_kept')
    deepEqual({ goal, enabled, rules }, { goal: 'Theirs', enabled: false, rules: 'Very polite.' })
  })

  it('never touches people and conversations again', async () => {
    await apply(file('once'))
    await db.updateTable('people').set({ name: '' }).where('id', '=', 'per_once').execute()
    deepEqual(await apply(file('once').replace('name: Ben', 'name: Benjamin')), [])
    equal((await one('people', 'per_once')).name, '')
  })

  it('seals a changed password, and reports the change without the password', async () => {
    await apply(file('pass'))
    const changes = await apply(file('pass'), { env: { ANA_PASSWORD: 'other' } })
    deepEqual(changes, ['~ connection con_pass: password'])
    const { id, secrets, smtp } = await one('connections', 'con_pass')
    deepEqual(connectionSecrets(secretKey, { id, secrets }), { smtp: 'other' })
    ok(!JSON.stringify(smtp).includes('other'))
    const settings = await db.selectFrom('settings').selectAll().execute()
    ok(!JSON.stringify(settings).includes('hidden'))
  })

  it('with --plan says what it would change and writes nothing', async () => {
    equal((await apply(file('plan'), { plan: true })).length, 9)
    equal(await one('members', 'mem_plan'), undefined)
    equal((await apply(file('plan'))).length, 9)
  })

  it('with --plan shows the present and the future value of each member, but no secret', async () => {
    await apply(file('diff'))
    const text = file('diff')
      .replace('pitch: Calm.', 'pitch: Calmer.')
      .replace('host: 127.0.0.1', 'host: smtp.example.test')
      .replace('secure: false, user: ana', 'secure: true, user: ana')
    const env = { ANA_PASSWORD: 'another secret' }
    const changes = await apply(text, { plan: true, env })
    deepEqual(changes, [
      [
        '~ connection con_diff: smtp, password',
        '    smtp.host: "127.0.0.1" -> "smtp.example.test"',
        '    smtp.secure: false -> true',
        '    password: changed, not shown',
      ].join('\n'),
      '~ company com_diff: pitch\n    pitch: "Calm." -> "Calmer."',
    ])
    ok(!changes.join().includes('secret') && !changes.join().includes('hidden'))
    equal((await one('companies', 'com_diff'))?.['pitch'], 'Calm.')
  })

  it('reports what it no longer names, and keeps it', async () => {
    await apply(file('less'))
    const text = file('less').replace(/^agents:[\s\S]*?(?=^prospects)/m, '')
    deepEqual(await apply(text), ['! no longer in the file, kept as they are: agents agt_less'])
    ok(await one('agents', 'agt_less'))
  })

  it('wakes the running campaigns when anything they depend on changes', async () => {
    await apply(file('wake'))
    const campaign = {
      id: 'cmp_wake',
      workspace: 'wsp_wake',
      name: 'C',
      state: 'running' as const,
      runner: 'run_wake',
    }
    await db
      .insertInto('campaigns')
      .values({ ...campaign, goal: '', materials: '[]', createdAt: now, updatedAt: now })
      .execute()
    await apply(file('wake').replace('jobTitle: Sales', 'jobTitle: Support'))
    await apply(file('wake').replace('day: 40', 'day: 41'))
    const signals = await db
      .selectFrom('outbox')
      .select('signal')
      .where('workflowId', '=', 'run_wake')
      .execute()
    deepEqual(signals, [{ signal: 'changed' }])
  })

  it("refuses another workspace's ids, each with its line, and then writes nothing", async () => {
    await apply(file('theirs'))
    const text = file('ours')
      .replaceAll('mem_ours', 'mem_theirs')
      .replaceAll('per_ours', 'per_theirs')
    const advice = 'ids are unique across all workspaces, so choose another, such as'
    const outcome = await applyWorkspaceFile(db, { path: save('o.yml', text), env, secretKey, now })
    deepEqual(
      outcome.problems?.map(({ line, message }) => `${line}: ${message}`),
      [
        `3: the id mem_theirs belongs to another workspace of this database: ${advice} mem_theirs_ours`,
        `13: the id per_theirs belongs to another workspace of this database: ${advice} per_theirs_ours`,
      ],
    )
    equal(await one('agents', 'agt_ours'), undefined)
  })

  it('refuses invalid prospects, with the line of their file', async () => {
    writeFileSync(
      join(folder, 'bad.csv'),
      'name,email,age\nCy,cy@prospect.example,4\nDee,nowhere,5\nEd,,6\n',
    )
    const text = file('bad').replace('people.csv', 'bad.csv')
    const outcome = await applyWorkspaceFile(db, { path: save('b.yml', text), env, secretKey, now })
    deepEqual(
      outcome.problems?.map(({ path, line }) => `${path}:${line}`),
      [`${folder}/bad.csv:1`, `${folder}/bad.csv:3`, `${folder}/bad.csv:4`],
    )
  })

  describe('by command', () => {
    const command = async (...args: string[]) => {
      const surroundings = {
        ...process.env,
        DATABASE_URL: database.url,
        SECRET_KEY: secretKey.current,
        ...env,
      }
      try {
        return { code: 0, ...(await run(process.execPath, args, { env: surroundings })) }
      } catch (error) {
        return error as { code: number; stdout: string; stderr: string }
      }
    }

    it('workspace apply reports its changes, and exits with 1 if the file is wrong', async () => {
      const path = save('c.yml', file('cmd'))
      match(
        (await command('dev/operator/workspace.ts', 'apply', path)).stdout,
        /^\+ workspace wsp_cmd\n/,
      )
      deepEqual(await command('dev/operator/workspace.ts', 'apply', path), {
        code: 0,
        stdout: '',
        stderr: 'wsp_cmd: nothing changed.\n',
      })
      const wrong = await command(
        'dev/operator/workspace.ts',
        'apply',
        save('d.yml', 'workspace: 7\n'),
        '--plan',
      )
      equal(wrong.code, 1)
      equal(wrong.stderr, `${folder}/d.yml:1: workspace must be an object, not a number\n`)
    })

    it('the demo can be applied, and the second time changes nothing', async () => {
      const first = await command('dev/operator/workspace.ts', 'apply', 'dev/demo.yml')
      equal(first.code, 0, first.stderr)
      const again = await command('dev/operator/workspace.ts', 'apply', 'dev/demo.yml')
      deepEqual([again.code, again.stdout], [0, ''])
    })

    it('token create prints the token alone, and list and revoke know it', async () => {
      await apply(file('tok'))
      const create = [
        'dev/operator/token.ts',
        'create',
        '--workspace',
        'wsp_tok',
        '--member',
        'mem_tok',
        '--client',
        'curl',
      ]
      const made = await command(...create, '--scopes', 'inbox:read,send')
      match(made.stdout, /^prm_[0-9A-Za-z]{49}\n$/)
      const [entry] = await db
        .selectFrom('audit')
        .selectAll()
        .where('workspace', '=', 'wsp_tok')
        .execute()
      equal(entry?.action, 'access.opened')
      equal(entry?.clientName, 'curl')
      const listed = await command('dev/operator/token.ts', 'list', '--workspace', 'wsp_tok')
      match(listed.stdout, /mem_tok\s+curl\s+inbox:read,send\s+live/)
      const id = entry?.resource ?? ''
      equal((await command('dev/operator/token.ts', 'revoke', id)).code, 0)
      equal((await command('dev/operator/token.ts', 'revoke', id)).code, 1)
      match((await command('dev/operator/token.ts', 'list')).stdout, /revoked/)
    })

    it('token create refuses unknown scopes, unknown members and invalid days', async () => {
      await apply(file('nope'))
      const create = (...more: string[]) =>
        command(
          'dev/operator/token.ts',
          'create',
          '--workspace',
          'wsp_nope',
          '--client',
          'curl',
          ...more,
        )
      for (const more of [
        ['--member', 'mem_nope', '--scopes', 'inbox:read,root'],
        ['--member', 'mem_none', '--scopes', 'inbox:read'],
        ['--member', 'mem_nope', '--scopes', 'inbox:read', '--days', '0'],
        ['--member', 'mem_nope'],
      ]) {
        const { code, stdout } = await create(...more)
        deepEqual([code, stdout], [1, ''], more.join(' '))
      }
    }).timeout(60_000)
  })
})
