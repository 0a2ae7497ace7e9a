import { addressesIn, unescaped } from './addresses.ts'
import { asFailure, type Diagnosis, diagnose, refusedIn } from './diagnosis.ts'
import { codeOfReply, codesIn, isBare } from './status.ts'

// Delivery status notifications (RFC 3464): a block of fields for the message, and one for each recipient. Some servers leave
// out the blank lines between the blocks, others put one behind every field.

/** What is said about some recipients, who are all one: its addresses, the likeliest first. */
export type RecipientStatus = Diagnosis & { kind: 'bounce' | 'delivery'; recipients: string[] }

const maxFields = 4_000
const maxBlocks = 300
const maxAsked = 20
const field = /^[> ]{0,4}([a-z][a-z-]{2,40})[ \t]{0,9}:[ \t]{0,99}(.*)$/i
const own = ['original-recipient', 'final-recipient', 'action', 'status', 'diagnostic-code']

type Block = Map<string, string>

export function readBlocks(report: string): Block[] {
  const blocks: Block[] = []
  let block: Block = new Map()
  let last: string | undefined
  let gap = false
  for (const line of report.split(/\r\n|[\r\n]/, maxFields)) {
    if (line.trim() === '') {
      gap = true
      continue
    }
    const [, key = '', value = ''] = field.exec(line) ?? []
    const name = key.toLowerCase()
    if (name === '') {
      // The rest of a folded field; servers forget to fold what another server said.
      if (last !== undefined && !gap) block.set(last, `${block.get(last)} ${line.trim()}`)
      continue
    }
    const begins = /-recipient$/.test(name) && (block.has(name) || (gap && hasRecipient(block)))
    if (begins || block.has(name)) {
      blocks.push(block)
      block = new Map()
    }
    gap = false
    last = own.includes(name) ? name : undefined
    if (last !== undefined) block.set(name, value)
  }
  return [...blocks, block].filter((one) => one.size > 0).slice(0, maxBlocks)
}

const isSaid = (text: string | undefined): text is string => text !== undefined && text !== ''

const hasRecipient = (block: Block) =>
  block.has('final-recipient') || block.has('original-recipient')

/** What each block says. `words` is what the server wrote for people, for blocks that say nothing. */
export function outcomesIn(report: string, words: string): RecipientStatus[] {
  let spoken: Diagnosis | undefined
  const inWords = () => {
    spoken ??= diagnose(undefined, [words])
    return spoken
  }
  let lines: string[] | undefined
  let asked = 0
  /** What stands next to one of several recipients. */
  const inLinesOf = (recipients: string[]) => {
    lines ??= words.toLowerCase().split('\n')
    const [one] = recipients
    const said =
      one === undefined || ++asked > maxAsked
        ? []
        : lines.filter((line) => line.includes(one.toLowerCase()))
    const diagnosis = diagnose(undefined, [said.join('\n')])
    return diagnosis.code === null ? undefined : diagnosis
  }
  const blocks = readBlocks(report)
  // What is written for people is about all recipients.
  const isAlone = blocks.filter(hasRecipient).length === 1
  // Which command was refused stands there alone.
  const command = isAlone ? refusedIn(words) : undefined
  return blocks.map((block) => {
    const diagnostic = (block.get('diagnostic-code') ?? '').replace(/^[\w.-]+[ \t]*;/, '; ')
    const action = block.get('action') ?? ''
    const status = block.get('status') ?? ''
    // AOL stated of letters that it refused that all was well.
    const isOdd = hasFailed(action) && /^2/.test(codesIn(status)[0] ?? '')
    // Some put the answer of the other server into the status.
    const answer = replyWithWords.test(status) ? `; ${status}` : ''
    const stated = isOdd || answer ? undefined : statedIn(status)
    const said = diagnose(stated, [answer, diagnostic, command].filter(isSaid))
    const isMeager = !diagnostic && isAlone && hasRecipient(block) && isBare(said.code ?? '')
    const more = isMeager && /^[45]/.test(said.code ?? '') ? diagnose(stated, [words]) : said
    const recipients = ['original-recipient', 'final-recipient'].flatMap((name) =>
      recipientsIn(block.get(name) ?? ''),
    )
    const { code, permanent } = asFailure(
      said.code === null ? ((isAlone ? undefined : inLinesOf(recipients)) ?? inWords()) : more,
      hasFailed(action) ? 'failed' : undefined,
    )
    const kind = kindOf(action, code ?? status)
    return { kind, code, permanent: permanent && kind === 'bounce', recipients }
  })
}

const replyWithWords = /^[45]\d\d[ \t]{1,9}(?=.*\p{L})/u

const statedIn = (status: string): string | undefined =>
  codesIn(status)[0] ?? (/^[45]\d\d\b/.test(status) ? codeOfReply(status.slice(0, 3)) : undefined)

const hasFailed = (action: string) => /^fail/i.test(action)

function kindOf(action: string, code: string): RecipientStatus['kind'] {
  if (/^(?:delayed|delivered|relayed|expanded|deliverable|delivery-delayed)/i.test(action))
    return 'delivery'
  if (hasFailed(action)) return 'bounce'
  return code.startsWith('2') ? 'delivery' : 'bounce'
}

function recipientsIn(value: string): string[] {
  const bare = value
    .replace(/^[ \t]*[\w.-]{1,40}[ \t]*;/, '')
    .replace(/^[ \t]*(?:rfc822|utf-8)\b;?/i, '')
  const [found] = addressesIn(bare)
  if (found === undefined) return []
  const plain = unescaped(found)
  return plain === found ? [found] : [found, plain]
}
