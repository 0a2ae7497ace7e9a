import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withClient } from '../../../dev/stack/postgres.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { testMailboxes } from '../../support/mailboxes.ts'
import { testPostgres } from '../../support/postgres.ts'
import { eventually, startService } from '../../support/service.ts'

// The tests provoke errors that are full of private words, and search every line that is logged for these words.

const words = ['Rumpelstilzchen', 'victoria@client.example', 'Zwiebelkuchen']
const privateIn = (text: string) =>
  words.filter((word) => text.toLowerCase().includes(word.toLowerCase()))

const asOwner = ({ ownerUrl }: { ownerUrl: string }, sql: string) =>
  withClient(ownerUrl, (client) => client.query(sql))

describe('what is logged', function () {
  this.timeout(120_000)

  async function listened() {
    const lines: string[] = []
    const service = await startService({ logged: (line) => lines.push(line) })
    return { service, lines, errors: () => lines.filter((line) => /"err":/.test(line)) }
  }

  it('of a call that the database refuses holds none of its words', async () => {
    const { service, lines, errors } = await listened()
    const { id, call, connections } = await service.workspace()
    const at = service.clock.now()
    const [person = ''] = await givenPeople(service.db, id, [{ name: 'A', email: words[1]! }], at)
    const conversation = await givenConversation(service.db, id, {
      person,
      connection: connections[0],
      from: words[1]!,
      at,
    })
    const note = (text: string) => call('POST', `/conversations/${conversation}/notes`, { text })
    equal((await note('before')).status, 200)
    // DETAIL holds the row, a function's message the words themselves, a cast the value.
    await asOwner(
      service,
      `alter table notes add constraint never check (text not like '%Rumpel%')`,
    )
    equal((await note(words.join(' '))).status, 500)
    await asOwner(service, `alter table notes drop constraint never`)
    await asOwner(
      service,
      `create function never() returns trigger language plpgsql as
      $$ begin
        if new.text like 'Zwiebel%' then perform new.text::int; end if;
        raise exception 'not %', new.text using detail = new.text, hint = new.text;
      end $$`,
    )
    await asOwner(
      service,
      `create trigger never before insert on notes for each row execute function never()`,
    )
    equal((await note(`Rumpelstilzchen, ${words[1]}`)).status, 500)
    equal((await note('Zwiebelkuchen')).status, 500)
    await service.close()

    deepEqual(privateIn(lines.join('\n')), [])
    const told = errors().map((line) => JSON.parse(line).err)
    deepEqual(
      told.map(({ code, table, constraint }) => [code, table, constraint]),
      [
        ['23514', 'notes', 'never'],
        ['P0001', undefined, undefined],
        ['22P02', undefined, undefined],
      ],
    )
    deepEqual(
      told.map(({ message }) => message),
      [
        'new row for relation "notes" violates check constraint "never"',
        undefined,
        'invalid input syntax for type integer',
      ],
    )
    for (const { stack, routine } of told) {
      ok(/^ {4}at /.test(stack), stack)
      ok(routine)
    }
    deepEqual(privateIn(readFileSync((await testPostgres()).log, 'utf8')), [])
  })

  it('of a mail that cannot be stored as it was read holds none of its words', async function () {
    const mail = await testMailboxes(this.test?.ctx)
    const { service, lines, errors } = await listened()
    await service.work(this.test?.ctx)
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    await asOwner(
      service,
      `alter table messages add constraint never check (subject not like '%Rumpel%')`,
    )
    await givenMailboxes(service, mail, [workspace.connections[0]])
    const { account } = await service.db
      .selectFrom('connections')
      .select('account')
      .where('id', '=', workspace.connections[0])
      .executeTakeFirstOrThrow()
    await mailProgram(mail)({
      from: words[1]!,
      to: account,
      subject: 'Rumpelstilzchen',
      text: 'Zwiebelkuchen',
      icalEvent: {
        method: 'reply',
        content: `BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nBEGIN:VEVENT\r\nUID:${words[0]}\r\nDURATION:${words[2]}\r\nDTSTART:20261124T100000Z\r\nATTENDEE;PARTSTAT=ACCEPTED:mailto:${words[1]}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
      },
    })
    await eventually(
      async () => errors(),
      (all) => all.some((line) => line.includes('a mail is kept as a file')),
      30_000,
    )
    await service.close()
    deepEqual(privateIn(lines.join('\n')), [])
  })

  it('of what libraries print, and of uncaught errors, holds none of their words', async () => {
    const said = await run(`
      import { createLog, takeOverOutput } from './process/telemetry/log.ts'
      import { MailTrouble } from './activities/ports/mail/smtp.ts'
      import ical from 'node-ical'
      const log = createLog('test', 'info')
      takeOverOutput(log)
      const event = 'UID:Rumpelstilzchen\\r\\nDTSTART:20261124T100000Z\\r\\nDURATION:\\x1b[31mZwiebelkuchen\\r\\n'
      const bare = 'BEGIN:VCALENDAR\\r\\nBEGIN:VEVENT\\r\\n' + event + 'END:VEVENT\\r\\nEND:VCALENDAR\\r\\n'
      ical.sync.parseICS(bare)
      for (let i = 0; i < 50; i++) console.error('{"level":60,"msg":"Rumpelstilzchen"}')
      console.log(new Error('Zwiebelkuchen'))
      process.emitWarning('Rumpelstilzchen')
      log.error(new Error('Zwiebelkuchen'))
      log.warn({ err: new TypeError("Cannot read properties of undefined (reading 'Zwiebelkuchen')") }, 'a')
      try { JSON.parse('Rumpelstilzchen') } catch (error) {
        log.warn({ err: new Error('Zwiebelkuchen\\n    at Rumpelstilzchen', { cause: error }) }, 'b')
        log.warn({ error }, 'c')
        log.warn({ err: new AggregateError([error, 'Rumpelstilzchen'], 'Zwiebelkuchen') }, 'd')
      }
      log.warn({ err: 'Rumpelstilzchen' }, 'e')
      try { fetch.call(null, new URL('Rumpelstilzchen')) } catch (err) { log.warn({ err }, 'f') }
      try { Buffer.alloc('Zwiebelkuchen') } catch (err) { log.warn({ err }, 'g') }
      log.warn({ err: new MailTrouble('smtp_unreachable') }, 'h')
      setTimeout(() => { throw new SyntaxError('Rumpelstilzchen') }, 500)
    `)
    deepEqual(privateIn(said.stdout + said.stderr), [])
    equal(said.stderr, '')
    equal(said.code, 1)
    const lines = said.stdout.trim().split('\n')
    const told = lines.map((line) => JSON.parse(line))
    deepEqual(
      told.map(({ msg }) => msg),
      [
        'libraries printed lines, which are counted but not logged',
        ...['an error', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
        'warning from Node',
        'uncaught error; the process exits',
      ],
    )
    equal(told[2].err.message, 'Cannot read properties of undefined')
    equal(told.at(-1).err.type, 'SyntaxError')
    equal(told[7].err.message, 'Invalid URL')
    equal(told[8].err.message, 'The "size" argument must be of type number.')
    const { type, message } = told[9].err
    deepEqual([type, message], ['MailTrouble', 'smtp_unreachable'])
  })
})

/** Runs a module in a process of its own, in the project's folder. */
const run = (source: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const args = ['--input-type=module', '-e', source]
    execFile(
      process.execPath,
      args,
      { cwd: join(import.meta.dirname, '../../..') },
      (error, ...out) =>
        resolve({ code: Number(error?.code ?? 0), stdout: out[0], stderr: out[1] }),
    )
  })
