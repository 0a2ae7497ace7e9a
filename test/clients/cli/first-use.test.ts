import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CommandLine, commandLine } from '../../support/command-line.ts'
import { givenClient } from '../../support/given.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'
import { troubledLine } from '../../support/troubled-line.ts'

// A port that was free a moment ago: fetch refuses some of those that nobody listens at.
const closed = createServer().listen(0, '127.0.0.1')
await once(closed, 'listening')
const nowhere = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`
closed.close()

async function given(service: SharedService, mail: MailSink) {
  const workspace = await service.workspace({ smtpPort: mail.smtpPort })
  const client = await givenClient(service.db, workspace, service.clock.now())
  const own = commandLine()
  const { code, err } = await own.login(service.url, workspace.token)
  equal(code, 0, err)
  const written = () => mail.messages().filter(({ to }) => to.includes(client.email)).length
  return { ...workspace, client, own, written }
}

describe('postroom, as a command', function () {
  this.timeout(240_000)
  let service: SharedService
  let mail: MailSink
  let at: Awaited<ReturnType<typeof given>>
  let own: CommandLine
  before(async function () {
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })
  beforeEach(async () => {
    at = await given(service, mail)
    own = at.own
  })

  describe('the first use of', () => {
    it('login keeps the token where its owner alone can read it, and shows it nowhere', async () => {
      const { code, out, err } = await own.login(service.url, at.token)
      deepEqual([code, err], [0, ''])
      match(out, new RegExp(`logged in to ${at.id} as ${at.member}`))
      ok(!out.includes(at.token))
      const file = join(own.home, 'logins.json')
      equal(statSync(file).mode & 0o777, 0o600)
      equal(statSync(own.home).mode & 0o777, 0o700)
      equal(JSON.parse(readFileSync(file, 'utf8')).profiles.default.url, `${service.url}/api/v1`)
      equal((await own.run(['logout'])).code, 0)
      ok(!readFileSync(file, 'utf8').includes(at.token))
      equal((await own.refusal(['whoami'])).error.code, 'no_login')
    })

    it('whoami says whose token it is and what it may do', async () => {
      const { out } = await own.run(['whoami'])
      for (const word of [at.id, at.member, 'inbox:read', service.url]) ok(out.includes(word), out)
      const { workspace, scopes } = await own.json(['whoami'])
      deepEqual([workspace, scopes.length], [at.id, 4])
    })

    it('a token of the environment needs its address beside it', async () => {
      const both = commandLine({ POSTROOM_URL: service.url, POSTROOM_TOKEN: at.token })
      equal((await both.json(['whoami'])).workspace, at.id)
      const one = commandLine({ POSTROOM_URL: nowhere })
      match((await one.refusal(['whoami'])).error.hint, /set both/)
    })

    it('people find and conversations waiting show a table, or JSON', async () => {
      const { out } = await own.run(['people', 'find', 'cleo'])
      match(out, /^ID +NAME +ADDRESS/)
      ok(out.includes(at.client.email))
      equal((await own.json(['people', 'find', 'cleo'])).people.length, 1)
      match((await own.run(['people', 'find', 'nobody'])).out, /Nobody is found/)
      const waiting = await own.run(['conversations', 'waiting'])
      ok(waiting.out.includes(at.client.conversation) || /Nobody waits/.test(waiting.out))
      equal((await own.run(['campaign', 'list'])).out, 'The workspace has no campaign.\n')
    })

    it('campaign watch draws the funnel once, and lines of JSON', async () => {
      const { body } = await at.call('POST', '/campaigns', { name: 'Autumn' })
      const { out } = await own.run(['campaign', 'watch', body.id, '--once'])
      match(out, /Autumn cmp_.*, draft\nno letters go.*\nletters\n {2}sent +0/)
      const [line] = (await own.run(['campaign', 'watch', 'Autumn', '--once', '--json'])).out.split(
        '\n',
      )
      equal(JSON.parse(line ?? '').funnel.sent, 0)
    })

    it('import shows its plan, imports once, and says what became of the rows', async () => {
      const file = join(own.home, 'people.csv')
      writeFileSync(file, 'name,email\nInes Caldeira,ines@caldeira.example\n,\n')
      const plan = await own.run(['import', file, '--plan'])
      match(plan.out, /nothing has been written/)
      match(plan.out, /new people +1/)
      equal((await at.call('GET', '/people?q=ines')).body.people.length, 0)
      const done = await own.run(['import', file])
      equal(done.code, 0, done.err)
      match(done.out, /importPeople done/)
      equal((await at.call('GET', '/people?q=ines')).body.people.length, 1)
    })

    it('send and operation write once and say what became of it', async () => {
      const { email, conversation } = at.client
      const words = ['send', '--conversation', conversation, '--text', 'Shall we talk?']
      const sent = await own.json([...words, '--wait'])
      deepEqual([sent.to, sent.replayed, sent.ended.state], [email, false, 'done'])
      const { out, code } = await own.run(['operation', sent.operation, '--wait'])
      equal(code, 0)
      match(out, /^sendMessage done/)
      equal((await own.json(['operation', sent.ended.id])).state, 'done')
      equal(at.written(), 1)
    })

    it('events shows what has happened, oldest first', async () => {
      await at.call('POST', `/conversations/${at.client.conversation}/notes`, { text: 'Seen.' })
      const from = ['--from', '2020-01-01T00:00:00Z']
      const { out } = await own.run(['events', ...from, '--kinds', 'conversation.*'])
      match(out, /conversation\.noted +cnv_/)
      const lines = (await own.run(['events', ...from, '--json'])).out.trim().split('\n')
      ok(lines.every((line) => JSON.parse(line).cursor))
    })

    it('open gives the address of the reference', async () => {
      equal((await own.run(['open', 'docs'])).out, `${service.url}/docs\n`)
    })

    it('help shows an example for each command', async () => {
      const { out } = await own.run(['--help'])
      const names = [...out.matchAll(/^ {2}([a-z]+) (?:\[\w+\]|<\w+>)? +[a-z]/gm)].map(
        ([, name = '']) => name,
      )
      ok(names.length >= 14, out)
      for (const name of names.filter(
        (name) => !['help', 'campaign', 'people', 'conversations'].includes(name),
      ))
        match((await own.run([name, '--help'])).out, /Examples?:\n {2}/, name)
    })

    it('completion is understood by bash, and offers what there is', async () => {
      const { out } = await own.run(['completion', 'bash'])
      const script = `${out}
COMP_WORDS=(postroom campaign ''); COMP_CWORD=2; _postroom; echo "\${COMPREPLY[@]}"
COMP_WORDS=(postroom wh); COMP_CWORD=1; _postroom; echo "\${COMPREPLY[@]}"`
      const { stdout } = await promisify(execFile)('bash', ['-c', script])
      match(stdout, /^list watch .*--json/)
      match(stdout, /\nwhoami why\n$/)
      for (const shell of ['zsh', 'fish'])
        match((await own.run(['completion', shell])).out, /campaign.*watch/s)
    })
  })

  describe('send', () => {
    const words = (to: string) => ['send', '--to', to, '--text', 'Once.', '--subject', 'Hello']

    it('is carried out once if its answer is lost and the same command comes again', async () => {
      const line = await troubledLine(service.url)
      await own.login(line.url, at.token)
      const args = [...words(at.client.email), '--via', at.connections[0]]
      line.set((_, { method }) => (method === 'POST' ? 'no answer' : undefined))
      const lost = await own.refusal([...args, '--retry', '0'])
      deepEqual([lost.code, lost.error.code], [3, 'no_answer'])
      match(lost.error.hint, /may have been accepted.*it is sent once/)
      line.set(() => undefined)
      const again = await own.run(args)
      match(again.out, /accepted before: it is not sent a second time/)
      await eventually(
        async () => at.written(),
        (n) => n === 1,
      )
      const another = await own.json([...args, '--wait'])
      equal(another.replayed, false)
      equal(at.written(), 2)
      line.close()
    })

    it('is carried out once under a name, whatever happens', async () => {
      const args = [
        ...words(at.client.email),
        '--via',
        at.connections[0],
        '--once',
        'hello to Cleo',
      ]
      const first = await own.json([...args, '--wait'])
      const second = await own.json([...args, '--wait'])
      deepEqual([first.replayed, second.replayed], [false, true])
      equal(first.message, second.message)
      const other = await own.refusal([...args, '--subject', 'Another'])
      equal(other.error.code, 'idempotency_key_reused')
      match(other.error.hint, /a name of its own/)
      equal(at.written(), 1)
    })

    it('names the accounts where several fit, and goes with one of them', async () => {
      const args = words(at.client.email)
      const { code, err } = await own.run(args)
      equal(code, 1)
      match(err, /- ana-.*@us\.example/)
      match(err, /Name one of these accounts with --via/)
      equal((await own.run([...args, '--via', at.connections[0]])).code, 0)
    })
  })

  describe('a mistake is said plainly:', () => {
    const cases: [what: string, args: string[], code: number, says: RegExp][] = [
      ['an unknown command', ['whoam'], 2, /Unknown command 'whoam'\.\nDid you mean whoami\?/],
      ['one within a subject', ['campaign', 'wach'], 2, /Did you mean watch\?/],
      [
        'an unknown option',
        ['send', '--too', 'x'],
        2,
        /Unknown option '--too'.*\nDid you mean --to\?/,
      ],
      ['an argument that lacks', ['why'], 2, /argument 'campaign'.*\n`postroom why --help`/],
      [
        'an unknown id',
        ['why', 'cmp_nobody'],
        1,
        /no such campaign.*\n.*whoami.*\n\(not_found, req/,
      ],
      ['an unknown name', ['why', 'Winter'], 1, /no campaign with the name or id Winter/],
      ['an unknown operation', ['operation', 'nobody'], 1, /no such operation/],
      [
        'a file that is not there',
        ['import', '/nowhere.csv'],
        2,
        /\/nowhere\.csv: there is no such/,
      ],
      ['a folder', ['import', '/'], 2, /\/: is no file/],
      ['nobody to write to', ['send', '--text', 'x'], 2, /To whom\?.*\nFor instance/],
      ['no words', ['send', '--to', 'a@b.example'], 2, /There is no text/],
      ['a page', ['open', 'doc'], 2, /Did you mean docs/],
      ['a shell', ['completion', 'ksh'], 2, /bash, zsh and fish/],
      ['a login', ['whoami', '--profile', 'no'], 4, /no login with the name no/],
      ['an address', ['listen', '--forward', 'here'], 2, /here is not an address/],
      ['the way', ['listen', '--forward', 'http://x.example/'], 2, /begin with https/],
      ['a token that may send', ['listen', '--forward', nowhere], 4, /may send.*\n.*inbox:read/],
    ]
    for (const [what, args, code, says] of cases)
      it(what, async () => {
        const said = await own.run(args)
        deepEqual([said.code, said.out], [code, ''], said.err)
        match(said.err, says)
        doesNotMatch(said.err, /undefined|at .*\.[tj]s:/)
      })

    it('no token, a wrong one, and one without the scope', async () => {
      const nobody = commandLine()
      const none = await nobody.run(['whoami'])
      equal(none.code, 4)
      match(none.err, /^You are not logged in\.\nRun `postroom login`/)
      const wrong = await nobody.login(service.url, 'prm_wrong')
      equal(wrong.code, 4)
      match(wrong.err, /not valid[\s\S]*revoked[\s\S]*\(invalid_token, request /)
      equal((await nobody.run(['whoami'])).code, 4)
      const reads = await at.tokenWith(['inbox:read'])
      equal((await nobody.login(service.url, reads)).code, 0)
      const args = ['send', '--conversation', at.client.conversation, '--text', 'x']
      const scope = await nobody.refusal(args)
      deepEqual([scope.code, scope.error.code], [4, 'insufficient_scope'])
      match(scope.error.hint, /needs send/)
    })

    it('no server, and an address that is not the service', async () => {
      const away = await own.login(nowhere, at.token, '--retry', '0')
      equal(away.code, 3)
      match(away.err, /nothing listens at its address/)
      const plainHttp = await own.login('http://postroom.example', at.token)
      equal(plainHttp.code, 2)
      match(plainHttp.err, /must begin with https/)
      const elsewhere = await own.login(`${service.url}/api/v9`, at.token)
      equal(elsewhere.code, 1)
      match(elsewhere.err, /ends in \/api\/v1/)
      equal((await own.login('ftp://x', at.token)).code, 2)
    })

    it('a file of logins that others can read', async () => {
      chmodSync(join(own.home, 'logins.json'), 0o644)
      const { code, err } = await own.run(['whoami'])
      equal(code, 4)
      match(err, /other users[\s\S]*chmod 600/)
    })

    it('a file without people', async () => {
      const file = join(own.home, 'noise.csv')
      writeFileSync(file, 'colour,size\nred,4\nblue,5\n')
      const { code, err } = await own.run(['import', file])
      equal(code, 1)
      match(err, /No row of the file can be used[\s\S]*--plan/)
      writeFileSync(file, '')
      match((await own.run(['import', file])).err, /is empty/)
    })
  })
})
