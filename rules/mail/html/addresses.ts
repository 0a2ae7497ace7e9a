import { namesOfCid } from '../../letters.ts'

// Which images a page may show, wherever it names them: those of its message, those that stand in it, and those from the web if
// that is asked for.

type Shown = {
  /** Whether images from the web are shown. */
  images: boolean
  files: { cid: string | null; name: string }[]
  marker: string
}

/** The address under which an image is shown; undefined if it is not shown. */
export type AddressOf = (given: string) => string | undefined

const embedded = /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=]+$/i
const ofTheWeb = /^(?:https?:)?\/\//i

export function imagesOf({ images, files, marker }: Shown): AddressOf {
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
export function bareAddress(address: string): string | undefined {
  if (!isOfTheWeb(address)) return address
  const url = URL.parse(address)?.href
  return url?.replaceAll(
    /[\s"'()\\,;<>]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/** The images of `srcset`, each with its size, that are shown from the web. */
export function sizesShown(srcset: string, addressOf: AddressOf): string {
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
