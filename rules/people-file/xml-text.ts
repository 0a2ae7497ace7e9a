import { characterOf } from '../text.ts'

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text of an attribute of XML (XML 1.0, 4.1 and 4.6). */
export const textOfXml = (written: string): string =>
  written.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return named[name as string] ?? all
    return (hex ? characterOf(hex, 16) : characterOf(decimal, 10)) ?? '\ufffd'
  })
