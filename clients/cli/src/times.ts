// Times as people read them: in the zone of the workspace, whose hours and days the service counts by.

/** `Mon 30 Nov, 09:00 (Europe/Berlin)`; in the zone of this machine where none is given. */
export function timeIn(zone: string | undefined, iso: string): string {
  const at = new Date(iso)
  const of = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, ...(zone && { timeZone: zone }) }).format(at)
  const day = of({ weekday: 'short', day: 'numeric', month: 'short' }).replace(',', '')
  const time = of({ hour: '2-digit', minute: '2-digit' })
  const year = at.getUTCFullYear() === new Date().getUTCFullYear() ? '' : ` ${at.getUTCFullYear()}`
  return `${day}${year}, ${time}${zone ? ` (${zone})` : ''}`
}

/** `3 days`, `12 minutes`: the largest unit alone. */
export function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const units: [number, string][] = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ]
  const [size, name] = units.find(([size]) => seconds >= size) ?? [1, 'second']
  const count = Math.floor(seconds / size)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
