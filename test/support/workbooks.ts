import { deflateRawSync } from 'node:zlib'
import { type ZipEntry, zipStored } from '../../rules/people-file/zip.ts'

// Workbooks as programs write them, and malicious ones.

const worksheets = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The parts of a workbook; `sheets` are the rows of each as XML. Style 1 is a day, 2 a day with a time. */
export function partsOf(sheets: string[], more: Record<string, string> = {}): ZipEntry[] {
  const list = sheets.map((_, i) => `<sheet name="S${i}" sheetId="${i + 1}" r:id="r${i}"/>`)
  const links = [
    ...sheets.map((_, i) => ['worksheet', `r${i}`, `worksheets/sheet${i}.xml`]),
    ['sharedStrings', 'shared', 'sharedStrings.xml'],
    ['styles', 'styles', 'styles.xml'],
  ].map(
    ([type, id, target]) =>
      `<Relationship Id="${id}" Type="${worksheets}/${type}" Target="${target}"/>`,
  )
  const parts: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook xmlns:r="${worksheets}"><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${links.join('')}</Relationships>`,
    'xl/sharedStrings.xml':
      '<sst><si><t>Name</t></si><si><r><t>E-</t></r><r><t>mail</t></r></si></sst>',
    'xl/styles.xml': `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map((rows, i) => [
        `xl/worksheets/sheet${i}.xml`,
        `<?xml version="1.0" encoding="UTF-8"?><worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  }
  return Object.entries(parts).map(([name, xml]) => ({ name, content: Buffer.from(xml) }))
}

/** A row of cells: texts inline, numbers as numbers, an object as the attributes and the value of the cell. */
export function rowOf(
  row: number,
  cells: (string | number | null | { as: string; v: string })[],
): string {
  const xml = cells.map((cell, i) => {
    const ref = `r="${String.fromCharCode(65 + i)}${row}"`
    if (cell === null) return ''
    if (typeof cell === 'number') return `<c ${ref}><v>${cell}</v></c>`
    if (typeof cell === 'string') return `<c ${ref} t="inlineStr"><is><t>${cell}</t></is></c>`
    return `<c ${ref} ${cell.as}><v>${cell.v}</v></c>`
  })
  return `<row r="${row}">${xml.join('')}</row>`
}

export const workbook = (...sheets: string[]): Buffer => zipStored(partsOf(sheets))

/** An archive of packed entries, each of which may say that it unpacks to another size, or that it has a password. */
export function zipPacked(entries: (ZipEntry & { says?: number })[], flags = 0, times = 1): Buffer {
  const packed = entries.map(({ name, content, says }) => ({
    name,
    size: says ?? content.length,
    content: deflateRawSync(content, { level: 9 }),
  }))
  const zip = zipStored(packed)
  // The directory again, with what a packed entry says of itself.
  let at = zip.readUInt32LE(zip.length - 6)
  for (const { size } of packed) {
    for (const head of [at + 6, zip.readUInt32LE(at + 42) + 4]) {
      zip.writeUInt16LE(0x0800 | flags, head + 2)
      zip.writeUInt16LE(8, head + 4)
      zip.writeUInt32LE(size, head + 18)
    }
    at += 46 + zip.readUInt16LE(at + 28)
  }
  zip.writeUInt16LE(entries.length * times, zip.length - 12)
  return zip
}
