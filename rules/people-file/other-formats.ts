// Texts that are no tables, and what they are: read as one, they would be rows of nobody.

const sampleCharacters = 20_000
const mostLines = 50

/** What a text is that is neither a table nor visiting cards, and what to do; undefined if it may be one. */
export function otherFormat(text: string): string | undefined {
  const start = text.slice(0, sampleCharacters).replace(/^\s+/, '')
  const lines = start.split(/\r\n|\n|\r/, mostLines).filter((line) => line.trim() !== '')
  return formats.find(({ is }) => is(start, lines))?.says
}

type Format = { is: (start: string, lines: string[]) => boolean; says: string }

const formats: Format[] = [
  {
    is: (start, lines) =>
      (/^[{[]\s*["{[\]}]/.test(start) && /["\]}]\s*:|^\[\s*[[{"]/.test(start)) ||
      (lines.length > 0 && lines.every((line) => /^\s*\{\s*"/.test(line))),
    says: 'It is JSON, not a table: export it as CSV or .xlsx.',
  },
  {
    is: (start) => /^BEGIN:VCALENDAR/i.test(start),
    says: 'It is a calendar (iCalendar), not a table of people.',
  },
  {
    is: (_, lines) =>
      /^(?:version: \d+|dn::? .+)$/i.test(lines[0] ?? '') &&
      lines.some((line) => /^dn::? /i.test(line)),
    says: 'It is a directory (LDIF), not a table: export it as CSV or .xlsx.',
  },
  {
    is: (_, lines) =>
      /^From \S+@\S+ .*\d{4}/.test(lines[0] ?? '') ||
      ['from', 'date', 'subject'].every((head) =>
        lines.slice(0, 40).some((line) => line.toLowerCase().startsWith(`${head}: `)),
      ),
    says: 'It is a mail, not a table of people.',
  },
  {
    is: (start) =>
      /^(?:--[^\n]*\n|\/\*[^*]*\*\/|\s)*(?:CREATE TABLE|INSERT INTO|DROP TABLE|SET NAMES)\b/i.test(
        start,
      ),
    says: 'It is a dump of a database (SQL), not a table: export it as CSV or .xlsx.',
  },
  {
    is: (_, lines) => isMailList(lines),
    says: 'It is a list of mail addresses ("Name" <address>), not a table: write name and address into two columns, with the headings Name and Email.',
  },
  {
    is: (start, lines) => /^---\s*$/.test(lines[0] ?? '') || /^-\s+\w+:\s/.test(start),
    says: 'It is YAML, not a table: export it as CSV or .xlsx.',
  },
]

/** Lines of "Nadia Roth" <nadia@roth.example>, or several such on one line, as mail programs copy recipients. */
function isMailList(lines: string[]): boolean {
  const parts = lines
    .flatMap((line) => line.replace(/"[^"]*"/g, '').split(/[,;]/))
    .filter((part) => part.trim() !== '')
  return parts.length > 0 && parts.every((part) => recipient.test(part.trim()))
}
const recipient = /^[^<>@|\t]*<[^<>@\s]+@[^<>@\s]+>$/
