import sanitize, { type Attributes, type IOptions, type Tag } from 'sanitize-html'
import { plainText } from '../../text.ts'
import { type AddressOf, imagesOf, sizesShown } from './addresses.ts'
import { background, safeStyle } from './styles.ts'

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
