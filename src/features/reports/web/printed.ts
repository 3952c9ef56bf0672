import type { List } from '#web/resource/use-list.ts'

/** Maximum number of printed rows; exports contain all. */
const PRINTED = 2000

/** Printed table: column names and rows of texts; `total` is the number of available rows if not all are included. */
export type Sheet = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly total?: number | undefined
}

/** Loads the rows of a list for printing. */
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
