/** A cell of a table. Those of a text have no type; those of a workbook are numbers, true or false where it says so. */
export type Cell = string | number | boolean

/** A cell as a spreadsheet shows it. */
export const textOf = (cell: Cell): string =>
  typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell)

/** Takes a row of a table with its number. */
export type Take = (cells: Cell[], row: number) => void
