import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { compiledOnce } from '../compiled.ts'
import type { Builder, Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import { type OperationRow, shortKey } from '../operations/operations.ts'

// A token is `prm_`, or `pra_` for the administration, 43 random base62 characters (256 bits) and six that are their CRC32. A mistyped
// or truncated token is thus recognised without a look-up, and scanners find a leaked one. At rest, only its SHA-256 is kept.

/** The kinds of tokens, each with its prefix and its own table: `prm` opens the API, `pra` the administration. */
export type TokenKind = 'prm' | 'pra'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const dayMs = 24 * 60 * 60 * 1000
const usualDays = 90

export const hashOf = (token: string) => createHash('sha256').update(token).digest()

function checkOf(random: string) {
  let rest = crc32(random)
  let check = ''
  for (let i = 0; i < 6; i++) {
    check = base62[rest % 62] + check
    rest = Math.floor(rest / 62)
  }
  return check
}

function randomBase62(length: number) {
  let out = ''
  while (out.length < length)
    for (const byte of randomBytes(64))
      if (byte < 248 && out.length < length) out += base62[byte % 62]
  return out
}

/** Whether a text can be one of our tokens of this kind at all: prefix, length and check sum. */
export function isTokenLike(token: string, kind: TokenKind): boolean {
  const [, prefix, random, check] = /^(\w{3})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(token) ?? []
  return prefix === kind && random !== undefined && check === checkOf(random)
}

export function newSecret(kind: TokenKind): string {
  const random = randomBase62(43)
  return `${kind}_${random}${checkOf(random)}`
}

/** The id of an application, by its name within a place: its workspace, or the administration. */
export const clientIdOf = (place: string, name: string) =>
  `cli_${createHash('sha256').update(`${place}\n${name}`).digest('hex').slice(0, 20)}`

/** The life of a new token, in days of real time. */
export const lifeOf = (days = usualDays) => {
  const now = Date.now()
  return { createdAt: new Date(now), expiresAt: new Date(now + days * dayMs) }
}

export type NewToken = {
  workspace: string
  member: string
  client: string
  scopes: string[]
  days?: number
  /** An agent may send with it what no person has confirmed. */
  unattended?: boolean
}

const card = [
  ...(['id', 'workspace', 'member', 'clientId', 'clientName', 'scopes', 'createdAt'] as const),
  ...(['expiresAt', 'revokedAt', 'lastUsedAt', 'unattended'] as const),
]
export type TokenCard = Awaited<ReturnType<typeof listTokens>>[number]

/** Makes a token and answers it; it is shown only this once. The expiry is in days of real time, 90 unless given. */
export async function createToken(
  db: Db,
  token: NewToken,
): Promise<{ id: string; token: string; row: TokenCard }> {
  const secret = newSecret('prm')
  const id = newId('tok')
  const row = await db
    .insertInto('tokens')
    .values({
      id,
      hash: hashOf(secret),
      workspace: token.workspace,
      member: token.member,
      clientId: clientIdOf(token.workspace, token.client),
      clientName: token.client,
      scopes: token.scopes,
      ...(token.unattended && { unattended: true }),
      ...lifeOf(token.days),
    })
    .returning(card)
    .executeTakeFirstOrThrow()
  return { id, token: secret, row }
}

export type TokenRow = NonNullable<Awaited<ReturnType<typeof findToken>>>

/** The token with its workspace; the caller checks expiry and revocation. */
export const findToken = async (db: Db, token: string) => (await tokenOf(db, hashOf(token))).at(0)

const withWorkspace = (db: Builder, hash: Buffer) =>
  db
    .selectFrom('tokens')
    .innerJoin('workspaces', 'workspaces.id', 'tokens.workspace')
    .select([
      'tokens.id',
      'tokens.member',
      'tokens.clientId',
      'tokens.clientName',
      'tokens.scopes',
      'tokens.expiresAt',
      'tokens.revokedAt',
      'workspaces.id as workspace',
      'workspaces.name as workspaceName',
      'workspaces.timezone',
      'workspaces.tagging',
      'workspaces.region',
      'workspaces.mode',
      'workspaces.quotas',
    ])
    .where('hash', '=', hash)
    .where('workspaces.erasedAt', 'is', null)

const tokenOf = compiledOnce(withWorkspace)

/** The same, and those operations of its workspace that have one of `keys`. */
export async function findTokenAndOperations(db: Db, token: string, keys: string[]) {
  const rows = await tokenAndOperations(db, hashOf(token), keys.map(shortKey))
  const asked = rows.flatMap(({ askedKey: key, askedId: id, askedToken, ...row }) =>
    key === null || id === null ? [] : [{ ...row, key, id, token: askedToken }],
  )
  return { token: rows.at(0), operations: asked as EarlierOperation[] }
}

/** What an equal call needs of an operation. */
export type EarlierOperation = Pick<
  OperationRow,
  | 'id'
  | 'workspace'
  | 'key'
  | 'fingerprint'
  | 'token'
  | 'answerStatus'
  | 'answerBody'
  | 'result'
  | 'acceptedAt'
  | 'lastUsedAt'
>

// Each key is looked up by itself, by the primary key of operations, whatever the statistics say of a workspace.
const tokenAndOperations = compiledOnce((db, hash: Buffer, keys: string[]) =>
  db
    .with('caller', (qb) => withWorkspace(qb, hash))
    .selectFrom('caller')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom(
            sql<{ short: string }>`unnest(${keys}::text[])`.as<'given'>(sql`given(short)`),
          )
          .innerJoinLateral(
            (inner) =>
              inner
                .selectFrom('operations')
                .select(['id as askedId', 'key as askedKey', 'token as askedToken', 'fingerprint'])
                .select(['answerStatus', 'answerBody', 'result', 'acceptedAt', 'lastUsedAt'])
                .whereRef('operations.workspace', '=', 'caller.workspace')
                .where('operations.id', '=', sql<string>`caller.workspace || ':' || given.short`)
                .limit(sql<number>`1`)
                .as('one'),
            (join) => join.onTrue(),
          )
          .selectAll('one')
          .as('asked'),
      (join) => join.onTrue(),
    )
    .selectAll('caller')
    .selectAll('asked'),
)

/** All tokens, or those of a workspace, in the order in which they were made. */
export const listTokens = (db: Db, workspace?: string) =>
  db
    .selectFrom('tokens')
    .select(card)
    .$if(workspace !== undefined, (query) => query.where('workspace', '=', workspace as string))
    .orderBy('createdAt')
    .execute()

/** A page of the tokens of a workspace, in the order of their ids, which is that in which they were made. */
export const listTokensOf = (
  db: Db,
  workspace: string,
  { after, limit }: { after?: string | undefined; limit: number },
) =>
  db
    .selectFrom('tokens')
    .select(card)
    .where('workspace', '=', workspace)
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()

/** True if there was a live token with that id. */
export async function revokeToken(db: Db, id: string): Promise<boolean> {
  const row = await db
    .updateTable('tokens')
    .set({ revokedAt: new Date() })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** A token of a workspace, which no other change revokes meanwhile. */
export const lockToken = (trx: Trx, workspace: string, id: string) =>
  trx
    .selectFrom('tokens')
    .select(card)
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const tokenUsed = (db: Db, id: string) =>
  db.updateTable('tokens').set({ lastUsedAt: new Date() }).where('id', '=', id).execute()
