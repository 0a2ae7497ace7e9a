import sanitize, { type Attributes, type IOptions, type Tag } from 'sanitize-html'
import { namesOfCid } from '../../letters.ts'
import { plainText } from '../../text.ts'

// A page that a stranger wrote, made safe to show: words with their formatting, links and images. Whatever could run, ask for
// input, frame something or load something is left out. This may take long: pages of strangers are made safe in a child process.

export type PageInput = {
  html: string
  /** Shows images from the web. Their servers learn when, and from where, the page is read. */
  images: boolean
  /** The files that the page may show as `cid:`, in order: by their Content-ID, or else by their name. */
  files: { cid: string | null; name: string }[]
  /** What stands for a file in the result. No stranger may know it. */
  marker: string
}

/** Blink nests elements no deeper than 512. */
const deepest = 256

const tags =
  `a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del
  dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav
  ol p pre q rp rt ruby s samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt
  u ul var wbr`.split(/\s+/)

/** Elements that are left out with everything in them. Of others that are not allowed, the content stays. */
const wholly =
  `script style title textarea option select noscript noembed noframes svg math iframe frameset object applet
  template xmp xml audio video canvas`.split(/\s+/)

const table = ['border', 'cellpadding', 'cellspacing', 'frame', 'rules', 'summary']
const cell = ['colspan', 'rowspan', 'nowrap', 'scope', 'abbr']
const attributes = {
  '*': ['style', 'title', 'dir', 'lang', 'align', 'valign', 'bgcolor', 'width', 'height'],
  a: ['href', 'rel', 'target'],
  img: ['src', 'srcset', 'alt', 'border', 'hspace', 'vspace'],
  font: ['color', 'face', 'size'],
  table,
  td: cell,
  th: cell,
  col: ['span'],
  colgroup: ['span'],
  ol: ['start', 'type', 'reversed'],
  ul: ['type'],
  li: ['value', 'type'],
  time: ['datetime'],
}

/** The page as text between images: pieces of HTML, and between each two the place of a file in `files`. */
export function safePage(input: PageInput): { html: string[]; files: number[] } {
  const addressOf = imagesOf(input)
  const options: IOptions = {
    allowedTags: tags,
    nonTextTags: wholly,
    allowedAttributes: attributes,
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'data', 'cid'] },
    allowProtocolRelative: false,
    // Styles are read by safeStyle.
    parseStyleAttributes: false,
    nestingLimit: deepest,
    transformTags: {
      a: safeLink,
      img: safeImage(addressOf),
      body: 'div',
      '*': safeTag(addressOf),
    },
  }
  const parts = sanitize(plainText(input.html), options).split(
    new RegExp(`cid:${input.marker}-(\\d+)-`),
  )
  return {
    html: parts.filter((_, at) => at % 2 === 0),
    files: parts.filter((_, at) => at % 2 === 1).map(Number),
  }
}

const safeTag =
  (addressOf: AddressOf) =>
  (tagName: string, { style, background: image, ...attribs }: Attributes): Tag => {
    const declarations = [
      image === undefined ? '' : background(image, addressOf),
      style === undefined ? '' : safeStyle(style, addressOf),
    ].filter((one) => one !== '')
    return {
      tagName,
      attribs: { ...attribs, ...(declarations.length > 0 && { style: declarations.join(';') }) },
    }
  }

function safeLink(tagName: string, { href, rel: _, target: __, ...attribs }: Attributes): Tag {
  const given = href?.trim() ?? ''
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(given)) return { tagName, attribs }
  const outward = { rel: 'noopener noreferrer nofollow', target: '_blank' }
  return { tagName, attribs: { ...attribs, href: given, ...outward } }
}

/** An image that is not shown keeps its place, and its words. */
const safeImage =
  (addressOf: AddressOf) =>
  (tagName: string, { src: given = '', srcset = '', alt = '', ...attribs }: Attributes): Tag => {
    const src = addressOf(given)
    const sizes = sizesShown(srcset, addressOf)
    const shown = { ...(src !== undefined && { src }), ...(sizes !== '' && { srcset: sizes }) }
    return { tagName, attribs: { ...attribs, alt, ...shown } }
  }

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
function safeStyle(style: string, addressOf: AddressOf): string {
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
function background(image: string, addressOf: AddressOf): string {
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

// Which images a page may show, wherever it names them: those of its message, those that stand in it, and those from the web if
// that is asked for.

type Shown = {
  /** Whether images from the web are shown. */
  images: boolean
  files: { cid: string | null; name: string }[]
  marker: string
}

/** The address under which an image is shown; undefined if it is not shown. */
type AddressOf = (given: string) => string | undefined

const embedded = /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=]+$/i
const ofTheWeb = /^(?:https?:)?\/\//i

function imagesOf({ images, files, marker }: Shown): AddressOf {
  const byCid = new Map(files.flatMap(({ cid }, at) => (cid === null ? [] : [[cid, at] as const])))
  const byName = new Map(files.map(({ name }, at) => [name, at]))
  return (written) => {
    const given = written.trim()
    if (/^cid:/i.test(given)) {
      const name = namesOfCid(given.slice(4)).at(-1) ?? ''
      const at = byCid.get(name) ?? byName.get(name)
      return at === undefined ? undefined : `cid:${marker}-${at}-`
    }
    if (/^data:/i.test(given)) {
      const data = given.replaceAll(/\s/g, '')
      return embedded.test(data) ? data : undefined
    }
    if (!images || !ofTheWeb.test(given)) return undefined
    return given.startsWith('//') ? `https:${given}` : given
  }
}

const isOfTheWeb = (address: string) => /^https?:/i.test(address)

/** As it stands without quotes in a style or in a list of addresses; undefined if it is none. */
function bareAddress(address: string): string | undefined {
  if (!isOfTheWeb(address)) return address
  const url = URL.parse(address)?.href
  return url?.replaceAll(
    /[\s"'()\\,;<>]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/** The images of `srcset`, each with its size, that are shown from the web. */
function sizesShown(srcset: string, addressOf: AddressOf): string {
  const shown = sizesIn(srcset).flatMap(({ address, size }) => {
    const found = addressOf(address)
    const bare = found !== undefined && isOfTheWeb(found) ? bareAddress(found) : undefined
    return bare === undefined ? [] : [size === '' ? bare : `${bare} ${size}`]
  })
  return shown.join(', ')
}

/** An address ends with a blank, its size with a comma. */
function sizesIn(srcset: string): { address: string; size: string }[] {
  const sizes: { address: string; size: string }[] = []
  let address = ''
  for (const word of srcset.split(/\s+/)) {
    if (address === '') {
      address = word.replace(/^,+/, '')
      if (!address.endsWith(',')) continue
      sizes.push({ address: withoutCommas(address), size: '' })
      address = ''
      continue
    }
    const comma = word.indexOf(',')
    const size = comma < 0 ? word : word.slice(0, comma)
    sizes.push({ address, size: /^\d{1,5}(?:\.\d{1,3})?[wx]$/.test(size) ? size : '' })
    address = comma < 0 ? '' : word.slice(comma + 1)
  }
  return address === '' ? sizes : [...sizes, { address, size: '' }]
}

function withoutCommas(address: string): string {
  let end = address.length
  while (address[end - 1] === ',') end--
  return address.slice(0, end)
}
