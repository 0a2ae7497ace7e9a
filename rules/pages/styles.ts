// Which declarations of a style attribute are kept: how words, tables and images look, and nothing that loads something or lies
// over something else.

const longest = 8_000

const named =
  `color background background-color opacity visibility display float clear width height min-width max-width
  min-height max-height box-sizing overflow line-height letter-spacing word-spacing word-break word-wrap
  white-space hyphens overflow-wrap vertical-align direction unicode-bidi table-layout caption-side empty-cells
  font margin padding border quotes tab-size object-fit`.split(/\s+/)
const properties = new Set(named)
const families = /^(?:font|text|margin|padding|border|list-style|outline)-[a-z-]{1,40}$/

// Without backslashes, with which CSS can spell anything, without comments and without addresses.
const harmless = /^[\w\s#%.,'"()+!-]{1,500}$/
const knownCalls = /(?<![\w-])(?:rgba?|hsla?|calc)\(/gi

/** The declarations that may stay, in order; empty if there are none. */
export function safeStyle(style: string): string {
  if (style.length > longest) return ''
  return style
    .split(';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':')
      const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase()
      const value = declaration.slice(colon + 1).trim()
      return isSafe(property, value) ? [`${property}:${value}`] : []
    })
    .join(';')
}

const isSafe = (property: string, value: string) =>
  (properties.has(property) || families.test(property)) &&
  property !== 'border-image' &&
  harmless.test(value) &&
  !value.replaceAll(knownCalls, '').includes('(')
