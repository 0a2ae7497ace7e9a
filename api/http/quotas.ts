import type { Trx } from '../../db/database.ts'
import { type Added, findExceeded } from '../../db/workspace/quotas.ts'
import { type Quotas, type QuotaUse, quotaSentence, roomIn } from '../../rules/quotas.ts'
import { ApiError } from './errors.ts'

// A call that adds something to its workspace asks here, once it has written it: a refusal undoes all of it.

type Asking = { db: Trx; workspace: { id: string; quotas: Quotas | null } }

/** @throws ApiError quota_exceeded. */
export async function withinQuotas({ db, workspace }: Asking, added: Added): Promise<void> {
  if (workspace.quotas === null) return
  const exceeded = await findExceeded(db, workspace.id, added)
  if (exceeded) throw quotaExceeded(exceeded)
}

/** 429 where there is room again by itself, 422 where somebody has to make it. */
export function quotaExceeded(use: QuotaUse): ApiError {
  const retryAfter = roomIn[use.quota]
  return new ApiError('quota_exceeded', quotaSentence(use), {
    members: use,
    ...(retryAfter !== undefined && {
      status: 429,
      headers: { 'Retry-After': String(retryAfter) },
    }),
  })
}
