import { deepEqual, equal, ok } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectionSecrets } from '../../db/secrets.ts'
import { applyWorkspaceFile } from '../../dev/operator/workspace-apply.ts'
import { secretKey } from '../support/given.ts'
import { env, file, now, type WorkspaceFiles, workspaceFiles } from '../support/workspace-files.ts'

describe('applying a workspace file', () => {
  let files: WorkspaceFiles

  before(async () => {
    files = await workspaceFiles()
  })
  after(() => files.end())

  type Read = 'agents' | 'companies' | 'connections' | 'people' | 'conversations' | 'members'
  const one = <T extends Read>(table: T, id: string) =>
    files.db
      .selectFrom(table as 'agents')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst() as Promise<
      // biome-ignore lint/suspicious/noExplicitAny: rows of several tables are read member by member.
      any
    >

  it('creates what it describes', async () => {
    const changes = await files.apply(file('new'))
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
    const messages = await files.db
      .selectFrom('messages')
      .selectAll()
      .where('conversation', '=', 'cnv_new')
      .orderBy('at')
      .execute()
    equal(messages[0]?.at.toISOString(), '2026-11-21T09:00:00.000Z')
    equal(messages[0]?.senderHandle, 'ben@client.example')
    const content = await files.db
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
    await files.apply(file('twice'))
    const later = new Date('2026-12-24T09:00:00.000Z')
    deepEqual(await files.apply(file('twice'), { now: later }), [])
  })

  it('keeps what clients have changed since', async () => {
    await files.apply(file('kept'))
    await files.db
      .updateTable('agents')
      .set({ goal: 'Theirs', enabled: false })
      .where('id', '=', 'agt_kept')
      .execute()
    await files.db
      .updateTable('members')
      .set({ signature: 'Theirs' })
      .where('id', '=', 'mem_kept')
      .execute()
    await files.db
      .updateTable('workspaces')
      .set({ timezone: 'Asia/Tokyo' })
      .where('id', '=', 'wsp_kept')
      .execute()
    deepEqual(await files.apply(file('kept')), [])
    const changed = file('kept').replace('rules: Polite.', 'rules: Very polite.')
    deepEqual(await files.apply(changed), ['~ agent agt_kept: rules'])
    const { goal, enabled, rules } = await one('agents', 'agt_kept')
    deepEqual({ goal, enabled, rules }, { goal: 'Theirs', enabled: false, rules: 'Very polite.' })
  })

  it('never touches people and conversations again', async () => {
    await files.apply(file('once'))
    await files.db.updateTable('people').set({ name: '' }).where('id', '=', 'per_once').execute()
    deepEqual(await files.apply(file('once').replace('name: Ben', 'name: Benjamin')), [])
    equal((await one('people', 'per_once')).name, '')
  })

  it('seals a changed password, and reports the change without the password', async () => {
    await files.apply(file('pass'))
    const changes = await files.apply(file('pass'), { env: { ANA_PASSWORD: 'other' } })
    deepEqual(changes, ['~ connection con_pass: password'])
    const { id, secrets, smtp } = await one('connections', 'con_pass')
    deepEqual(connectionSecrets(secretKey, { id, secrets }), { smtp: 'other' })
    ok(!JSON.stringify(smtp).includes('other'))
    const settings = await files.db.selectFrom('settings').selectAll().execute()
    ok(!JSON.stringify(settings).includes('hidden'))
  })

  it('with --plan says what it would change and writes nothing', async () => {
    equal((await files.apply(file('plan'), { plan: true })).length, 9)
    equal(await one('members', 'mem_plan'), undefined)
    equal((await files.apply(file('plan'))).length, 9)
  })

  it('with --plan shows the present and the future value of each member, but no secret', async () => {
    await files.apply(file('diff'))
    const text = file('diff')
      .replace('pitch: Calm.', 'pitch: Calmer.')
      .replace('host: 127.0.0.1', 'host: smtp.example.test')
      .replace('secure: false, user: ana', 'secure: true, user: ana')
    const env = { ANA_PASSWORD: 'another secret' }
    const changes = await files.apply(text, { plan: true, env })
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
    await files.apply(file('less'))
    const text = file('less').replace(/^agents:[\s\S]*?(?=^prospects)/m, '')
    deepEqual(await files.apply(text), [
      '! no longer in the file, kept as they are: agents agt_less',
    ])
    ok(await one('agents', 'agt_less'))
  })

  it('leaves a member who has left as they are, and says so', async () => {
    await files.apply(file('left'))
    await files.db
      .updateTable('members')
      .set({ leftAt: now })
      .where('id', '=', 'mem_left')
      .execute()
    deepEqual(await files.apply(file('left')), [])
    deepEqual(await files.apply(file('left').replace('name: Ana Ruiz', 'name: Ana R.')), [
      '! member mem_left has left, and stays so',
    ])
    equal((await one('members', 'mem_left')).name, 'Ana Ruiz')
  })

  it('wakes the running campaigns when anything they depend on changes', async () => {
    await files.apply(file('wake'))
    const campaign = {
      id: 'cmp_wake',
      workspace: 'wsp_wake',
      name: 'C',
      state: 'running' as const,
      runner: 'run_wake',
    }
    await files.db
      .insertInto('campaigns')
      .values({ ...campaign, goal: '', materials: '[]', createdAt: now, updatedAt: now })
      .execute()
    await files.apply(file('wake').replace('jobTitle: Sales', 'jobTitle: Support'))
    await files.apply(file('wake').replace('day: 40', 'day: 41'))
    const signals = await files.db
      .selectFrom('outbox')
      .select('signal')
      .where('workflowId', '=', 'run_wake')
      .execute()
    deepEqual(signals, [{ signal: 'changed' }])
  })

  it("refuses another workspace's ids, each with its line, and then writes nothing", async () => {
    await files.apply(file('theirs'))
    const text = file('ours')
      .replaceAll('mem_ours', 'mem_theirs')
      .replaceAll('per_ours', 'per_theirs')
    const advice = 'ids are unique across all workspaces, so choose another, such as'
    const outcome = await applyWorkspaceFile(files.db, {
      path: files.save('o.yml', text),
      env,
      secretKey,
      now,
    })
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
      join(files.folder, 'bad.csv'),
      'name,email,age\nCy,cy@prospect.example,4\nDee,nowhere,5\nEd,,6\n',
    )
    const text = file('bad').replace('people.csv', 'bad.csv')
    const outcome = await applyWorkspaceFile(files.db, {
      path: files.save('b.yml', text),
      env,
      secretKey,
      now,
    })
    deepEqual(
      outcome.problems?.map(({ path, line }) => `${path}:${line}`),
      [`${files.folder}/bad.csv:1`, `${files.folder}/bad.csv:3`, `${files.folder}/bad.csv:4`],
    )
  })
})
