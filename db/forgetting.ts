/** So many rows are deleted in a transaction: readers of events wait for open transactions. */
export const forgottenAtOnce = 1_000

/** A row that was looked at, by its place in the order of the pages, and whether it was deleted. */
export type Looked = { at: string; id: string; gone: boolean }

/**
 * Deletes rows page by page, each behind the last row of the one before, where some stay however old they are. `page` deletes among
 * the next `forgottenAtOnce` rows behind a place, which begins at `-infinity` and `first`; `beat` is called after each. Answers how many
 * were deleted.
 */
export async function forgetInPages(
  first: string,
  page: (at: string, id: string) => Promise<Looked[]>,
  beat: () => void,
): Promise<number> {
  let all = 0
  let [at, id] = ['-infinity', first]
  for (;;) {
    const rows = await page(at, id)
    beat()
    all += rows.filter(({ gone }) => gone).length
    const last = rows.at(-1)
    if (!last || rows.length < forgottenAtOnce) return all
    ;[at, id] = [last.at, last.id]
  }
}
