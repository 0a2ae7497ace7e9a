import { kindOf } from './contacts.ts'
import { fieldOfHeading } from './headings.ts'

// Sheets whose headings take two rows: groups such as "Company" and "E-mail" above "Name" and "private".

const filled = (cells: string[]) => cells.filter((cell) => cell.trim() !== '')

/** The headings in a row, each with that of its group in the row above where it says something else, or nothing, alone. */
export function headingsAt(rows: string[][], place: number): string[] {
  const own = rows[place] ?? []
  const above = rows[place - 1] ?? []
  if (filled(above).length < 2 || above.some((cell) => kindOf(cell) !== undefined)) return own
  let group = ''
  return Array.from({ length: Math.max(own.length, above.length) }, (_, i) => {
    const [heading = '', over = ''] = [own[i]?.trim(), above[i]?.trim()]
    if (over !== '') group = over
    return heading === '' ? over : within(group, heading)
  })
}

function within(group: string, heading: string): string {
  const whole = `${group} ${heading}`
  const [alone, together] = [fieldOfHeading(heading), fieldOfHeading(whole)]
  const isOther = alone === undefined || (alone === 'name' && together === 'company')
  return isOther && together !== undefined ? whole : heading
}
