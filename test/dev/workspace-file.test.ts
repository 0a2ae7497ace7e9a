import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { parseWorkspaceFile } from '../../dev/operator/workspace-file.ts'
import { env, file } from '../support/workspace-files.ts'

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

  it('has the addresses of members and accounts cleaned, as every other way in', () => {
    const given = '"\\u200bAna <mailto:Ana.Ruiz＠example.test.>"'
    const { file: read, problems } = parseWorkspaceFile(
      file('a').replaceAll('ana@example.test', given),
      env,
    )
    deepEqual(problems, [])
    const [account, email] = [read?.connections?.[0]?.account, read?.members?.[0]?.email]
    deepEqual([account, email], ['Ana.Ruiz@example.test', 'Ana.Ruiz@example.test'])
  })

  it('has no person under an id that would stand for an externalId', () => {
    const text = file('a').replace(
      'conversations:\n',
      '  - { id: "ext:7", name: Cy }\nconversations:\n',
    )
    deepEqual(problems(text), ['14: people[1].id may contain only letters, digits and . _ ~ -'])
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

describe('the workspace of the demo', () => {
  it('sends to the mail sink of npm start, and nowhere else', () => {
    const text = readFileSync('dev/demo.yml', 'utf8')
    const { file } = parseWorkspaceFile(text, { MAIL_SMTP_PORT: '31025' })
    for (const { smtp, bridge } of file?.connections ?? []) {
      equal(bridge, undefined)
      if (smtp) deepEqual([smtp.host, smtp.port], ['127.0.0.1', 31_025])
    }
    equal(file?.calendars, undefined)
  })
})
