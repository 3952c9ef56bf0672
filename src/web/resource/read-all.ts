import { queryOptions } from '@tanstack/react-query'
import type { Address } from '#kit/addresses.ts'
import type { Answer } from '#kit/contract.ts'
import { type CallOptions, isApiError } from '../api.ts'
import { call } from '../client.ts'

type Reading = CallOptions & { most: number; progress?: (count: number) => void }

const mostPages = 50
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Every row of a list, page after page by its cursor, at most `most`; waits when asked to slow down. */
export async function readAll<O extends Address, Row>(
  list: O,
  rowsOf: (page: Answer<O>) => readonly Row[],
  { most, progress, query, ...options }: Reading,
): Promise<Row[]> {
  const all: Row[] = []
  let cursor: string | undefined
  for (let more = true; more; ) {
    try {
      const page = await call(list, undefined, { ...options, query: { ...query, cursor } })
      all.push(...rowsOf(page))
      cursor = (page as { nextCursor: string | null }).nextCursor ?? undefined
      more = cursor !== undefined && all.length < most
      progress?.(all.length)
    } catch (error) {
      if (!isApiError(error) || error.status !== 429) throw error
      await pause(5000)
    }
  }
  return all.slice(0, most)
}

/** The read of every row of a list to choose from, kept for a minute for all who ask. */
export const choicesOf = <O extends Address, Row>(
  list: O,
  rowsOf: (page: Answer<O>) => readonly Row[],
  query: Readonly<Record<string, unknown>> = {},
) =>
  queryOptions({
    queryKey: [list.family, list.name, 'choices', query],
    queryFn: ({ signal }) => readAll(list, (page) => [page], { most: mostPages, query, signal }),
    select: (pages) => pages.flatMap(rowsOf),
    staleTime: 60_000,
  })
