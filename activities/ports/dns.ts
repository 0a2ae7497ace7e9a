import { Resolver } from 'node:dns/promises'

/**
 * The TXT records of a name, each joined; an empty list if there are none.
 * @throws Error if no resolver can be asked.
 */
export type LookUpTxt = (name: string) => Promise<string[]>

const timeoutMs = 2_000

/** Asks the machine's own resolvers. */
export const systemTxt: LookUpTxt = async (name) => {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOTFOUND' || code === 'ENODATA') return []
    throw error
  }
}

// Nobody can own these names (RFC 2606, RFC 6761), so the DNS is not asked about them.
const reserved =
  /(^|\.)(example|test|invalid|localhost|local|internal)$|(^|\.)example\.(com|net|org)$/

export type DomainRecords = {
  domain: string
  spf: string[]
  dmarc: string[]
  /** The key of the configured selector, or else of common ones. */
  dkim: { selector: string; found: boolean } | null
}

const usualSelectors = ['default', 'google', 'selector1', 'selector2', 'dkim', 'mail', 's1', 'k1']

/** What the DNS says about who may send for a domain; undefined if it cannot be asked. */
export async function findRecords(
  txt: LookUpTxt,
  domain: string,
  selector: string | undefined,
): Promise<DomainRecords | undefined> {
  const name = domain.toLowerCase().replace(/\.$/, '')
  if (!name.includes('.') || reserved.test(name)) return undefined
  try {
    const [spf, dmarc, dkim] = await Promise.all([
      txt(name),
      findDmarc(txt, name),
      findDkim(txt, name, selector),
    ])
    return { domain: name, spf: spf.filter((text) => /^v=spf1(\s|$)/i.test(text)), dmarc, dkim }
  } catch {
    return undefined
  }
}

// The policy of the domain, or else of its parent domain (RFC 7489, 6.6.3, without the list of public suffixes).
async function findDmarc(txt: LookUpTxt, domain: string): Promise<string[]> {
  const own = (await txt(`_dmarc.${domain}`)).filter((text) => /^v=DMARC1\s*(;|$)/i.test(text))
  const above = domain.split('.').slice(1).join('.')
  return own.length > 0 || !above.includes('.') ? own : findDmarc(txt, above)
}

async function findDkim(txt: LookUpTxt, domain: string, selector: string | undefined) {
  const names = selector ? [selector] : usualSelectors
  const keys = await Promise.all(names.map((name) => txt(`${name}._domainkey.${domain}`)))
  // An empty key was withdrawn (RFC 6376, 3.6.1).
  const found = names.find((_, i) => keys[i]?.some((text) => /(^|;)\s*p=[^;\s]/i.test(text)))
  if (found) return { selector: found, found: true }
  return selector ? { selector, found: false } : null
}
