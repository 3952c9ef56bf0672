import { type FetchQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { Address } from '#kit/addresses.ts'
import type { Answer } from '#kit/contract.ts'
import { type CallOptions, isApiError } from '../api.ts'
import { callAny, nextCursorOf, queryClient } from '../client.ts'
import { formatNumber } from '../format.ts'
import { t } from '../t.ts'
import { notify } from '../ui/feedback/notify.tsx'

type Reading = CallOptions & { most: number; params?: Record<string, unknown>; progress?: (count: number) => void }

const mostPages = 50
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Reads every row of a list, page by page by its cursor, at most `most`; waits when rate-limited. */
export const readAll = <O extends Address, Row>(
  list: O,
  rowsOf: (page: Answer<O>) => readonly Row[],
  reading: Reading,
): Promise<Row[]> => readAny(list, rowsOf, reading)

/** The same for a list that is known as data only. */
export async function readAny<Row, Page>(
  list: Address,
  rowsOf: (page: Page) => readonly Row[],
  { most, progress, params, query, ...options }: Reading,
): Promise<Row[]> {
  const all: Row[] = []
  let cursor: string | undefined
  for (let more = true; more; ) {
    try {
      const page = await callAny<Page>(list, { ...(params ? { params } : {}), query: { ...query, cursor } }, options)
      all.push(...rowsOf(page))
      cursor = nextCursorOf(page) ?? undefined
      more = cursor !== undefined && all.length < most
      progress?.(all.length)
    } catch (error) {
      if (!isApiError(error) || error.status !== 429) throw error
      await pause(5000)
    }
  }
  return all.slice(0, most)
}

/** Returns the query of every row of a list of choices, cached for a minute; shows a toast if there are too many. */
export const choicesOf = <O extends Address, Row>(
  list: O,
  rowsOf: (page: Answer<O>) => readonly Row[],
  query: Readonly<Record<string, unknown>> = {},
) =>
  queryOptions({
    queryKey: [list.family, list.name, 'choices', query],
    queryFn: async ({ signal }) => {
      const pages = await readAny(list, (page: Answer<O>) => [page], { most: mostPages, query, signal })
      if (nextCursorOf(pages.at(-1)))
        notify({
          tone: 'warn',
          id: `choices ${list.family}`,
          title: t('Há mais opções do que cabem na lista'),
          text: t('Só os primeiros {count} aparecem para escolher.', {
            count: formatNumber(pages.flatMap(rowsOf).length),
          }),
        })
      return pages
    },
    select: (pages) => pages.flatMap(rowsOf),
    staleTime: 60_000,
  })

/** Returns every row of a list of choices outside of a component: read on first use, from the cache while fresh. */
export const fetchChoices = async <Pages, Row, Key extends QueryKey>(
  read: FetchQueryOptions<Pages, Error, Pages, Key> & { select?: ((pages: Pages) => Row[]) | undefined },
): Promise<Row[]> => read.select!(await queryClient.fetchQuery(read))
