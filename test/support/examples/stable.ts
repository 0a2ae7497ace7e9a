import { createHash } from 'node:crypto'
import type { Call } from './story.ts'

// What comes out otherwise each time, ids, instants, tokens and addresses of this machine, as plausible values that stay the same,
// so that a recording differs from the one before only in what the service answers differently.

const monday = Date.parse('2026-11-23T09:00:00.000Z')
const day = 24 * 60 * 60 * 1000
const tenMinutes = 10 * 60 * 1000
/** The most elements of a list that are kept. */
const most = 3

/** Things whose ids a workspace file may choose, so that any word follows. */
const named = 'wsp|mem|con|prd|com|agt|fld|per|cnv|msg|dea|del|seg|cmp|tch'
const made =
  'fil|ntf|whk|dlv|mtg|sup|tsk|lbl|rul|prp|tok|adm|aud|run|lnk|ent|nte|not|cli|era|voi|req'
const ids = new RegExp(
  String.raw`\bcal_(?:mem_)?\w+|\b(?:${named})_[0-9a-z_]+|\b(?:${made})_[0-9a-z]{10,}`,
  'g',
)
const uuids = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
/** Keys that the story itself gives. */
const given = new Set([
  '6f1d7c1e-8a54-4a0e-9d39-0d4b3a3a5a11',
  '2b9e4d70-5c1f-4f0a-8a36-7d1c0e9b5f22',
  'a3f0c9d2-61b7-4e0f-9a53-0c7e5d1b2f44',
])
const instants = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g

export function stable(calls: Map<string, Call>): Record<string, Call> {
  const known = new Map<string, string>()
  const counts = new Map<string, number>()
  const now = Date.now()

  function numbered(kind: string, value: string, write: (n: number) => string): string {
    const before = known.get(`${kind} ${value}`)
    if (before !== undefined) return before
    const n = counts.get(kind) ?? 0
    counts.set(kind, n + 1)
    const written = write(n)
    known.set(`${kind} ${value}`, written)
    return written
  }

  const idOf = (value: string) => {
    const prefix = value.slice(0, 3) === 'del' ? 'dea' : value.slice(0, 3)
    return numbered(prefix, value, (n) => `${prefix}_01m5q8y2k7cv${n + 3}`)
  }
  const hash = (kind: string, n: number) =>
    createHash('sha256').update(`${kind} ${n}`).digest('hex')
  const uuidOf = (value: string) =>
    given.has(value)
      ? value
      : numbered('uuid', value, (n) => {
          const hex = hash('uuid', n)
          return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
        })

  /** The story begins on its Monday and takes some minutes of it; what the machine's own clock says is told by that one. */
  function instantOf(value: string): string {
    const at = Date.parse(value)
    const away = (at - now) / day
    const ofMachine = Math.abs(away - Math.round(away)) * day < tenMinutes
    const told = ofMachine ? monday + Math.round(away) * day : at
    return new Date(Math.floor(told / tenMinutes) * tenMinutes).toISOString()
  }

  const textOf = (value: string) =>
    value
      .replace(/\b(pr[ma])_[\w-]{20,}/g, '$1_4fT9mQz2LrX7VbK8cWnE5sYdHgUaJp3R')
      .replace(/\bwhsec_[\w+/=]+/g, 'whsec_TGV0dGVycyB0aGF0IGdvIG91dCBvbmNlLg==')
      .replace(
        /(\/(?:connect|unsubscribe|u|c)\/)[\w-]{20,}/g,
        '$19ArLfIE2N-f2svtACry8hPqBY4SmhF_nxPKSxr03r1o',
      )
      .replace(/http:\/\/127\.0\.0\.1:8233/g, 'https://temporal.example.test')
      .replace(/http:\/\/127\.0\.0\.1(:\d+)?/g, 'https://post.example.test')
      .replace(/\b127\.0\.0\.1\b/g, 'smtp.halden.example')
      .replace(/\b[0-9a-f]{40,64}\b/g, (hex) =>
        numbered('hash', hex, (n) => hash('hash', n).slice(0, hex.length)),
      )
      .replace(uuids, uuidOf)
      .replace(/\bevt_\d+/g, (id) => numbered('evt', id, (n) => `evt_${1042 + n}`))
      .replace(ids, idOf)
      .replace(instants, instantOf)

  function walk(value: unknown, name = ''): unknown {
    if (Array.isArray(value)) return value.slice(0, most).map((one) => walk(one, name))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [textOf(key), walk(inner, key)]),
      )
    if (typeof value === 'number' && name === 'port' && value > 1024) return 587
    if (typeof value !== 'string') return value
    if (/^(next|cursor|floor)$/.test(name) && value.length > 8 && !/^\d{4}-/.test(value))
      return 'q1mZk3xRWyIyMDI2LTExLTIzIl0'
    return textOf(value)
  }

  return Object.fromEntries([...calls].map(([id, call]) => [id, walk(call) as Call]))
}
