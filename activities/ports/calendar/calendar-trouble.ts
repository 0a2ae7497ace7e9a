/** The calendar could not be used; `code` is safe to show (no answer of the server, no address). */
export class CalendarTrouble extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}
