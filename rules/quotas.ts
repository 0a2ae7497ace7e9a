// What a workspace may have at once, as the operator says.

export const quotaNames = [
  'queuedMessages',
  'runningCampaigns',
  'openImports',
  'connections',
  'bytes',
] as const
export type QuotaName = (typeof quotaNames)[number]
export type Quotas = { [name in QuotaName]?: number | undefined }

/** A quota, its bound, and what of it is used. */
export type QuotaUse = { quota: QuotaName; most: number; used: number }

const words: Record<QuotaName, string> = {
  queuedMessages: 'queued messages',
  runningCampaigns: 'running campaigns',
  openImports: 'open imports',
  connections: 'connections',
  bytes: 'bytes of files and texts',
}

/** How soon there may be room again by itself, in seconds; undefined where somebody has to make it. */
export const roomIn: Partial<Record<QuotaName, number>> = { queuedMessages: 60, openImports: 60 }

export const quotaSentence = ({ quota, most, used }: QuotaUse): string =>
  `The workspace may have ${most} ${words[quota]} at once and has ${used}.`
