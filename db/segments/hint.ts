import { sql } from 'kysely'
import { impossible, memberOf } from '../../rules/judge/member-rules.ts'
import type { Db } from '../database.ts'
import type { SegmentRow } from './segments.ts'

// Why a segment finds nobody: words that stand on no card look like any others.

// So many verdicts show what most of them say.
const sample = 200
const mostFields = 200

/** Why nobody belongs to a segment, and what can be done; undefined if somebody does, or if nobody has been judged yet. */
export async function findHint(db: Db, segment: SegmentRow): Promise<string | undefined> {
  if (segment.members > 0) return undefined
  const { id, workspace, version, query, rules } = segment
  const never = impossible(rules)
  if (never.length > 0)
    return `Nobody can belong to it: no card fits the rule “${never.join('”, “')}”.`
  const reasons = await listReasons(db, { id, version })
  const [most] = [...Map.groupBy(reasons, (reason) => reason)].sort(
    ([, a], [, b]) => b.length - a.length,
  )
  if (!most) return undefined
  const text = [query, ...rules.map((rule) => rule.text ?? '')].join(' ')
  const known = await listFields(db, workspace)
  const fields = known.filter((field) => isNamed(field, text))
  const unknown =
    known.length < mostFields
      ? rules.flatMap(({ field = '' }) => {
          const named = memberOf(field)
          return named?.member === 'fields' && !known.includes(named.name) ? [named.name] : []
        })
      : []
  return [
    `Nobody who was judged belongs to it. The most frequent reason: ${most[0]}`,
    ...new Set(unknown.map((name) => `Nobody has the field “${name}”.`)),
    ...(text.trim() === ''
      ? []
      : [
          'Words are compared with the name, city, job title, company, tags and e-mail addresses of a card.',
        ]),
    ...fields.map(
      (field) =>
        `“${field}” is a field of your own, which words do not reach: GET /people?${encodeURIComponent(`field.${field}`)}=VALUE lists the people, and a rule with "field":"fields.${field}" and "in" finds them.`,
    ),
  ].join(' ')
}

async function listReasons(db: Db, { id, version }: { id: string; version: number }) {
  const rows = await db
    .selectFrom('segmentPeople')
    .select('reason')
    .where('segment', '=', id)
    .where('version', '=', version)
    .limit(sample)
    .execute()
  return rows.map(({ reason }) => reason)
}

/** The names of the fields that people of a workspace have, each found from the one before it in the index. */
async function listFields(db: Db, workspace: string): Promise<string[]> {
  const after = sql`select min(f.field) from person_fields f where f.workspace = ${workspace}`
  const { rows } = await sql<{ field: string }>`
    with recursive names (field) as (
      (${after}) union all
      select (${after} and f.field > names.field) from names where names.field is not null)
    select field from names where field is not null limit ${mostFields}`.execute(db)
  return rows.map(({ field }) => field)
}

/** Whether a text has the words of a field's name. */
function isNamed(field: string, text: string): boolean {
  const words = (given: string) => given.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u)
  return ` ${words(text).join(' ')} `.includes(` ${words(field).join(' ')} `)
}
