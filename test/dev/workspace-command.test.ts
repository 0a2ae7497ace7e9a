import { deepEqual, equal, match } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { secretKey } from '../support/given.ts'
import { env, file, type WorkspaceFiles, workspaceFiles } from '../support/workspace-files.ts'

const run = promisify(execFile)

describe('applying a workspace file', () => {
  let files: WorkspaceFiles

  before(async () => {
    files = await workspaceFiles()
  })
  after(() => files.end())

  describe('by command', () => {
    const command = async (...args: string[]) => {
      const surroundings = {
        ...process.env,
        DATABASE_URL: files.database.url,
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
      const path = files.save('c.yml', file('cmd'))
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
        files.save('d.yml', 'workspace: 7\n'),
        '--plan',
      )
      equal(wrong.code, 1)
      equal(wrong.stderr, `${files.folder}/d.yml:1: workspace must be an object, not a number\n`)
    })

    it('the demo can be applied, and the second time changes nothing', async () => {
      const first = await command('dev/operator/workspace.ts', 'apply', 'dev/demo.yml')
      equal(first.code, 0, first.stderr)
      const again = await command('dev/operator/workspace.ts', 'apply', 'dev/demo.yml')
      deepEqual([again.code, again.stdout], [0, ''])
    })

    it('token create prints the token alone, and list and revoke know it', async () => {
      await files.apply(file('tok'))
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
      const [entry] = await files.db
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

    it('token create --admin makes one of the administration, and list and revoke know it', async () => {
      await files.apply(file('adm'))
      const create = (...more: string[]) =>
        command('dev/operator/token.ts', 'create', '--admin', '--client', 'Shop', ...more)
      const made = await create('--workspace', 'wsp_adm')
      match(made.stdout, /^pra_[0-9A-Za-z]{49}\n$/)
      const [entry] = await files.db
        .selectFrom('audit')
        .selectAll()
        .where('workspace', '=', 'wsp_adm')
        .execute()
      deepEqual([entry?.action, entry?.clientName, entry?.member], ['access.opened', 'Shop', null])
      const listed = await command('dev/operator/token.ts', 'list', '--workspace', 'wsp_adm')
      match(listed.stdout, /administration\s+Shop\s+workspaces,members,connections\s+live/)
      equal((await command('dev/operator/token.ts', 'revoke', entry?.resource ?? '')).code, 0)
      match((await create('--scopes', 'tokens', '--days', '365')).stdout, /^pra_/)
      for (const more of [
        ['--scopes', 'inbox:read'],
        ['--days', '366'],
        ['--workspace', 'wsp_none'],
        ['--member', 'mem_adm'],
      ]) {
        const { code, stdout } = await create(...more)
        deepEqual([code, stdout], [1, ''], more.join(' '))
      }
    }).timeout(60_000)

    it('token create refuses unknown scopes, unknown members and invalid days', async () => {
      await files.apply(file('nope'))
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
