import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'

/** Default number of rows of a page. */
const PAGE = 40
const LAST_NUMBERED_PAGE = 50
const MOST_COUNTED = 1000

/** Maximum count of a list, shown as “1000+” (decision B3). */
export const COUNTED = MOST_COUNTED + 1

type Value = string | number
/** Parsed page parameters of a list (`pageQuery`). */
export type Asked = { readonly pageNumber: number; readonly cursor?: string | undefined }
/** Start of a page: after the sort values of the previous row, or at an offset; `limit` is one row more than is shown. */
export type PageStart<Key extends readonly Value[]> = {
  readonly after: Key | null
  readonly offset: number
  readonly limit: number
}

/** Returns the start of the requested page in a list sorted by so many values; numbered pages end at 50 (decision B3). */
export function pageStartOf<Key extends readonly Value[]>(
  { pageNumber, cursor }: Asked,
  values: Key['length'],
): PageStart<Key> {
  if (pageNumber > LAST_NUMBERED_PAGE && !cursor) fail('ERR_PAGE_TOO_FAR')
  const after = cursor ? (decodeCursor(cursor, values) as unknown as Key) : null
  return { after, offset: after ? 0 : (pageNumber - 1) * PAGE, limit: PAGE + 1 }
}

/** Variant of `pageStartOf` for a list sorted by whole numbers alone, such as microseconds and ids. */
export function exactPageStartOf<Key extends readonly number[]>(asked: Asked, values: Key['length']): PageStart<Key> {
  const start = pageStartOf<Key>(asked, values)
  return start.after?.every(Number.isSafeInteger) === false
    ? fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
    : start
}

/** Returns the rows to show of those found for a `PageStart`, and the answer's `hasMore` and `nextCursor`. */
export function pageOf<R>(found: readonly R[], keyOf: (row: R) => readonly Value[]) {
  const rows = found.slice(0, PAGE)
  const last = rows.at(-1)
  const hasMore = found.length > PAGE
  return { rows, paging: { hasMore, nextCursor: hasMore && last ? encodeCursor(keyOf(last)) : null } }
}

/** Returns the answer's `count`, and whether it is capped, from a count up to `COUNTED`. */
export const countOf = (counted: number) => ({
  count: Math.min(counted, MOST_COUNTED),
  countIsCapped: counted > MOST_COUNTED,
})
