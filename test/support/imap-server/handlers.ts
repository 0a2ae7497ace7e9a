import { sayMails } from './fetch.ts'
import { sayFolders, sayOpened, sayStatus } from './folders.ts'
import type { Answer } from './rows.ts'
import { searchFor } from './search.ts'
import type { Session } from './served.ts'
import { sync } from './sync.ts'
import { type Command, quote } from './tokens.ts'

type Handler = {
  /** May come before a login. */
  isOpen?: true
  needsFolder?: true
  /** Says what is asked for, and returns the tagged answer; undefined if the connection broke off on the way. */
  run(session: Session, command: Command, answer: Answer): string | undefined
}

const done = (verb: string) => `OK ${verb} completed`
const missing = "NO [NONEXISTENT] Mailbox doesn't exist"
const simple = (verb: string): Handler => ({ run: () => done(verb) })

const open = (verb: 'SELECT' | 'EXAMINE'): Handler => ({
  run(session, { args }, answer) {
    const folder = session.server.store.find(session.login ?? '', String(args[0]))
    session.folder = undefined
    if (!folder || folder.isOnlyName) return missing
    session.folder = folder
    session.seen = folder.entries
    session.view = [...folder.entries]
    sayOpened(session, folder, answer)
    return `OK [${verb === 'SELECT' ? 'READ-WRITE' : 'READ-ONLY'}] ${verb} completed`
  },
})

const close = (verb: string): Handler => ({
  needsFolder: true,
  run(session) {
    session.folder = undefined
    session.view = []
    return done(verb)
  },
})

const list = (verb: string): Handler => ({
  run(session, { args }, answer) {
    sayFolders(session, verb, args, answer)
    return done(verb)
  },
})

export const handlers: Record<string, Handler> = {
  CAPABILITY: {
    isOpen: true,
    run(session) {
      session.say(`CAPABILITY ${session.offers}`)
      return done('CAPABILITY')
    },
  },
  ID: {
    isOpen: true,
    run(session) {
      session.say('ID ("name" "scripted")')
      return done('ID')
    },
  },
  NOOP: {
    isOpen: true,
    run(session, _, answer) {
      sync(session)
      if (answer.exists) session.say(`${session.view.length + answer.exists} EXISTS`)
      return done('NOOP')
    },
  },
  LOGOUT: {
    isOpen: true,
    run(session) {
      session.say('BYE Logging out')
      return done('LOGOUT')
    },
  },
  NAMESPACE: {
    run(session) {
      const { prefix, delimiter } = session.profile
      session.say(`NAMESPACE ((${quote(prefix)} ${quote(delimiter)})) NIL NIL`)
      return done('NAMESPACE')
    },
  },
  ENABLE: {
    run(session, { args }) {
      const known = args.map(String).filter((name) => session.offers.split(' ').includes(name))
      session.say(`ENABLED${known.map((name) => ` ${name}`).join('')}`)
      return done('ENABLE')
    },
  },
  NOTIFY: {
    run(session, { args }) {
      session.notifies = /^set$/i.test(String(args[0]))
      return done('NOTIFY')
    },
  },
  LIST: list('LIST'),
  LSUB: list('LSUB'),
  XLIST: list('XLIST'),
  SUBSCRIBE: simple('SUBSCRIBE'),
  CHECK: simple('CHECK'),
  SELECT: open('SELECT'),
  EXAMINE: open('EXAMINE'),
  CLOSE: close('CLOSE'),
  UNSELECT: close('UNSELECT'),
  STATUS: {
    run(session, { args: [name = '', items = []] }, answer) {
      const folder = session.server.store.find(session.login ?? '', String(name))
      if (!folder || folder.isOnlyName) return missing
      const wanted = [items].flat(2).map((item) => String(item).toUpperCase())
      sayStatus(session, folder, wanted, answer)
      return done('STATUS')
    },
  },
  CREATE: {
    run(session, { args: [given = ''] }) {
      const { store } = session.server
      const { login = '', profile } = session
      const name = String(given).replace(new RegExp(`\\${profile.delimiter}$`), '')
      if (store.find(login, name)) return 'NO [ALREADYEXISTS] Mailbox already exists'
      store.make(store.box(login), name)
      return done('CREATE')
    },
  },
  APPEND: {
    run(session, { args }) {
      const { server, profile, login = '', box } = session
      const [name = '', ...rest] = args
      const folder = server.store.find(login, String(name))
      if (!folder || folder.isOnlyName) return `NO [TRYCREATE] Mailbox doesn't exist`
      const raw = Buffer.from(String(rest.at(-1) ?? ''), 'latin1')
      if ((box?.bytes ?? 0) + raw.length > profile.quotaBytes)
        return `NO ${profile.words.overQuota}`
      const [flags, at] = [rest.find(Array.isArray), rest.length > 1 ? rest.at(-2) : undefined]
      const uid = server.store.put(login, raw, {
        folder: folder.name,
        flags: (flags ?? []).map(String),
        ...(typeof at === 'string' && { at: new Date(at) }),
      })
      return `OK [APPENDUID ${folder.uidValidity} ${uid}] APPEND completed`
    },
  },
  FETCH: {
    needsFolder: true,
    run: (session, { verb, args }, answer) =>
      sayMails(session, args, verb.startsWith('UID'), answer) ? done('FETCH') : undefined,
  },
  SEARCH: {
    needsFolder: true,
    run(session, { tag, verb, args }, answer) {
      const { view } = session
      const left = answer.leaveOut
      const last = { uid: view.at(-1)?.uid ?? 0, number: view.length }
      let searched: ReturnType<typeof searchFor>
      try {
        searched = searchFor(args, last)
      } catch (error) {
        return `BAD ${(error as Error).message}`
      }
      const isUid = verb.startsWith('UID')
      const found = view.flatMap((entry, i) => {
        const isLeftOut = answer.empty || left === 'all' || left?.includes(entry.uid)
        if (isLeftOut || !searched.test(entry, i + 1)) return []
        return [isUid ? entry.uid : i + 1]
      })
      if (!searched.returns) session.say(`SEARCH${found.map((n) => ` ${n}`).join('')}`)
      else {
        const told: Record<string, string> = {
          ...(found.length > 0 && {
            ALL: found.join(','),
            MIN: String(found[0]),
            MAX: String(found.at(-1)),
          }),
          COUNT: String(found.length),
        }
        const wanted = searched.returns.flatMap((name) =>
          told[name] ? [`${name} ${told[name]}`] : [],
        )
        session.say([`ESEARCH (TAG ${quote(tag)})`, ...(isUid ? ['UID'] : []), ...wanted].join(' '))
      }
      return done('SEARCH')
    },
  },
}
