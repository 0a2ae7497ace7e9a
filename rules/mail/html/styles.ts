import { type AddressOf, bareAddress } from './addresses.ts'

// Which declarations of a style attribute are kept: how words, tables and images look, and nothing that lies over something
// else, or loads something other than an image that the page may show.

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

const backgrounds = new Set(['background', 'background-image'])
// No page has this character.
const place = /\0(\d+)\0/g
const inCall = /^(?:"([^"]*)"|'([^']*)'|([^)"'\s]*))\s*\)/

/** The declarations that may stay, in order; empty if there are none. */
export function safeStyle(style: string, addressOf: AddressOf): string {
  if (style.length > longest) return ''
  const images: string[] = []
  const shown = (image = '') => shownIn(image, addressOf)
  return placed(style, images)
    .split(';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':')
      const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase()
      const value = declaration.slice(colon + 1).trim()
      if (backgrounds.has(property)) return backgroundOf(property, value, (at) => shown(images[at]))
      return isSafe(property, value) ? [`${property}:${value}`] : []
    })
    .join(';')
}

/** What is left of a background, such as its colour, stays where its images are not shown. */
function backgroundOf(property: string, value: string, shownAt: (image: number) => string) {
  const others = value.replaceAll(place, '').trim()
  if (others !== '' && !isHarmless(others)) return []
  const isShown = [...value.matchAll(place)].some(([, at]) => shownAt(Number(at)) !== '')
  if (isShown)
    return [`${property}:${value.replaceAll(place, (_, at) => shownAt(Number(at)) || 'none')}`]
  return /[^\s,]/.test(others) ? [`${property}:${others}`] : []
}

/** The declaration of an image behind an element; empty if it is not shown. */
export function background(image: string, addressOf: AddressOf): string {
  const shown = shownIn(image, addressOf)
  return shown === '' ? '' : `background-image:${shown}`
}

function shownIn(image: string, addressOf: AddressOf): string {
  const address = addressOf(image)
  const bare = address === undefined ? undefined : bareAddress(address)
  return bare === undefined ? '' : `url(${bare})`
}

/** The style with a number in place of each address, and the addresses; an address may have any sign in it. */
function placed(style: string, images: string[]): string {
  const [begin = '', ...calls] = style.split(/url\(/i)
  const rest = calls.map((written) => {
    const call = written.trimStart()
    const [whole, ...given] = inCall.exec(call) ?? []
    if (whole === undefined) return `url(${call}`
    const image = given.find((one) => one !== undefined) ?? ''
    return `\0${images.push(image) - 1}\0${call.slice(whole.length)}`
  })
  return begin + rest.join('')
}

const isSafe = (property: string, value: string) =>
  (properties.has(property) || families.test(property)) &&
  property !== 'border-image' &&
  isHarmless(value)

const isHarmless = (value: string) =>
  harmless.test(value) && !value.replaceAll(knownCalls, '').includes('(')
