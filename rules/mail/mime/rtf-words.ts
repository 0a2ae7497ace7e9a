// What the control words of RTF stand for, as far as they are text or say how to read it (Rich Text Format Specification 1.9.1).

/** Characters that have a word of their own, and breaks. */
export const characters: Record<string, string> = {
  ...{ par: '\n', line: '\n', sect: '\n', page: '\n', row: '\n', softline: '\n', lbr: '\n' },
  ...{ tab: '\t', cell: '\t', nestcell: '\t', nestrow: '\n' },
  ...{ emdash: '—', endash: '–', bullet: '•', lquote: '‘', rquote: '’' },
  ...{ ldblquote: '“', rdblquote: '”', emspace: ' ', enspace: ' ', qmspace: ' ' },
  ...{ zwj: '\u200d', zwnj: '\u200c', ltrmark: '\u200e', rtlmark: '\u200f' },
}

/** Groups whose content is no text of the letter. Others of the kind begin with `\*`. */
export const apart = new Set(
  `fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf filetbl xe tc rxe
  txe nonshppict objdata comment annotation private themedata colorschememapping datastore latentstyles`.split(
    /\s+/,
  ),
)

/** Sets of characters that a whole text may say that it has. */
export const sets: Record<string, string> = { mac: 'macintosh', pc: 'cp437', pca: 'cp850' }

/** The pages of the sets of characters that fonts have (\fcharset). */
const pages: Record<number, number> = {
  ...{ 0: 1252, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258 },
  ...{ 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850 },
}
export const pageOfFont = (set: number): string | undefined =>
  pages[set] === undefined ? undefined : labelOf(pages[set])

/** A number of a page, as Windows has them, in a label that is understood. */
export const labelOf = (page: number): string =>
  page >= 1250 && page <= 1258 ? `windows-${page}` : page === 10000 ? 'macintosh' : `cp${page}`
