import type { List } from '#web/resource/use-list.ts'

/** So many rows are printed at most; the file has all. */
const PRINTED = 2000

/** What is printed: the names of columns, and each row's texts; `total` rows were there to print, where not all are. */
export type Sheet = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly total?: number | undefined
}

/** Reads the rows of a list that are printed. */
export async function sheetOf<Row>(
  list: List<Row, { count: number }>,
  columns: readonly (readonly [title: string, text: (row: Row) => string])[],
): Promise<Sheet> {
  const rows = await list.readAll(PRINTED, () => {})
  return {
    columns: columns.map(([title]) => title),
    rows: rows.map((row) => columns.map(([, text]) => text(row))),
    total: list.first?.count,
  }
}
