import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Context } from 'mocha'
import { freePort, waitForPort } from '../../dev/stack/ports.ts'
import { end, reap } from '../../dev/stack/processes.ts'
import { output } from '../../dev/stack/tools.ts'
import { waited } from '../runner/waits.ts'
import { atEnd } from './hooks.ts'

// Dovecot of Debian, a real IMAP server, with mailboxes as folders of files (Maildir++).

const binary = '/usr/sbin/dovecot'
const nobody = 65_534
const uses = ['Drafts', 'Junk', 'Sent', 'Trash']

export type Dovecot = Awaited<ReturnType<typeof testDovecot>>

/** A server of the caller's own that lets in anybody with the password `secret`. Pending where it is not installed. */
export async function testDovecot(context: Context, { sessions = 100 } = {}) {
  const version = (await output(binary, ['--version'])) ?? ''
  // Later versions have another language of configuration.
  if (!version.startsWith('2.3')) return context.skip()
  const folder = mkdtempSync(join(tmpdir(), 'postroom-dovecot-'))
  const isRoot = userInfo().uid === 0
  // It refuses to handle mail as root.
  const owner = isRoot ? nobody : userInfo().uid
  const group = isRoot ? nobody : userInfo().gid
  const own = (path: string) => {
    if (isRoot) chownSync(path, owner, group)
    return path
  }
  const homes = join(folder, 'homes')
  mkdirSync(homes)
  own(homes)
  chmodSync(folder, 0o755)
  const port = await freePort()
  const config = join(folder, 'dovecot.conf')
  writeFileSync(config, configOf({ folder, homes, port, sessions, owner, group, isRoot }))
  const child = spawn(binary, ['-F', '-c', config], { stdio: 'ignore' })
  reap(child)
  atEnd(async () => {
    await end(child.pid as number, 'SIGTERM', 3_000)
    rmSync(folder, { recursive: true, force: true })
  })
  await waited('servers', waitForPort(port))
  let files = 0

  /** Lays a mail into a folder as a delivery does; returns the path of its file. */
  function put(login: string, raw: string | Buffer, name = 'INBOX'): string {
    const parts = [homes, login, 'Maildir']
    if (name !== 'INBOX') parts.push(`.${name.replaceAll('/', '.')}`)
    parts.push('new')
    for (let n = 2; n <= parts.length; n++) {
      const path = join(...parts.slice(0, n))
      if (existsSync(path)) continue
      mkdirSync(path)
      own(path)
    }
    const file = join(...parts, `${Math.floor(Date.now() / 1000)}.M${++files}P${process.pid}.test`)
    writeFileSync(file, raw)
    return own(file)
  }

  /** Dovecot moves and renames what it has seen. */
  function makeUnreadable(file: string) {
    const box = dirname(dirname(file))
    for (const place of ['new', 'cur'].map((name) => join(box, name)))
      for (const name of existsSync(place) ? readdirSync(place) : [])
        if (name.startsWith(basename(file))) chmodSync(join(place, name), 0)
  }

  return { port, imapPort: port, put, makeUnreadable }
}

function configOf(given: {
  folder: string
  homes: string
  port: number
  sessions: number
  owner: number
  group: number
  isRoot: boolean
}) {
  const { folder, homes, port, sessions, owner, group, isRoot } = given
  const { username } = userInfo()
  const folders = uses.map(
    (use) => `  mailbox ${use} {\n    special_use = \\${use}\n    auto = subscribe\n  }`,
  )
  return `base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_max_userip_connections = ${sessions}
${isRoot ? '' : `default_login_user = ${username}\ndefault_internal_user = ${username}\n`}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=${owner} gid=${group} home=${homes}/%u
}
mail_location = maildir:~/Maildir
namespace inbox {
  inbox = yes
  separator = /
${folders.join('\n')}
}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`
}
