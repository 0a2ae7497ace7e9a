// Programs read the same page in different ways, and what one of them sees as a comment or a value is a tag for another. Pure.

const others: { where: RegExp; as: (mark: string, slash: string) => string }[] = [
  // Outlook reads what stands in comments that are for it.
  { where: /<!--\s{0,20}\[if[^\]>]{0,200}\]>/gi, as: () => ' ' },
  // For a program that runs scripts, the inside of this element is text up to its closing tag, as that of <noembed> is for all.
  { where: /<(\/?)noscript(?=[\s/>])/gi, as: (_, slash) => `<${slash}noembed` },
  // Within a drawing, tags are read by other rules and text may hide them; some HTML tags end the drawing for some programs.
  {
    where: /<(\/?)(?:svg|math)(?=[\s/>])|<!\[cdata\[/gi,
    as: (mark, slash) => (mark.startsWith('<!') ? '<!' : `<${slash}b`),
  },
]

/** The page as it stands, and as other programs read it: together at most eight. */
export function readingsOf(html: string): string[] {
  let readings = [html]
  for (const { where, as } of others)
    readings = [...new Set(readings.flatMap((page) => [page, page.replaceAll(where, as)]))]
  return readings
}
