import { isApiError } from '../api.ts'

type Page<T> = { rows: readonly T[]; nextCursor: string | null }

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Every row of a list, page after page by its cursor, at most `most`; waits when asked to slow down. */
export async function readAll<T>(
  read: (cursor: string | undefined) => Promise<Page<T>>,
  most: number,
  progress: (count: number) => void = () => {},
): Promise<T[]> {
  const all: T[] = []
  let cursor: string | undefined
  for (let more = true; more; ) {
    try {
      const page = await read(cursor)
      all.push(...page.rows)
      cursor = page.nextCursor ?? undefined
      more = cursor !== undefined && all.length < most
      progress(all.length)
    } catch (error) {
      if (!isApiError(error) || error.status !== 429) throw error
      await pause(5000)
    }
  }
  return all.slice(0, most)
}
