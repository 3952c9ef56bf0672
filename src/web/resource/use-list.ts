import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { Address, EventAddress } from '#kit/addresses.ts'
import type { Answer, CallInput } from '#kit/contract.ts'
import { pagesAny, queryClient } from '../client.ts'
import { on, onReconnect } from '../realtime/realtime.ts'
import { readAny } from './read-all.ts'

type Filter<O extends Address> = CallInput<O> extends { query?: infer Q extends object } ? Q : never
type Params = Readonly<Record<string, number | string>>

const burstMs = 300

/** List of the server for a screen; `readAll` reads all rows that match the filter. */
export type List<Row, Page = unknown> = {
  rows: readonly Row[]
  first: Page | undefined
  state: 'pending' | 'error' | 'success'
  error: Error | null
  retry: () => void
  onEnd: () => void
  readAll: (most: number, progress: (count: number) => void) => Promise<Row[]>
}

/** Reads a list page by page as its end comes near, and again when an event of `live` arrives; `params` fill its path. */
export const useList = <O extends Address, Row>(
  op: O,
  rowsOf: (page: Answer<O>) => readonly Row[],
  filter: Filter<O>,
  live: readonly EventAddress[] = [],
  params?: Params,
): List<Row, Answer<O>> => useAnyList(op, rowsOf, filter, live, params)

/** The same for an operation that is known as data only. */
export function useAnyList<Row, Page>(
  op: Address,
  rowsOf: (page: Page) => readonly Row[],
  filter: object,
  live: readonly EventAddress[] = [],
  params?: Params,
): List<Row, Page> {
  const named = params ? { params } : {}
  const query = useInfiniteQuery(pagesAny<Page>(op, { ...named, query: filter }))
  useLive(op.family, live)
  const { data, status, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return {
    rows: data?.pages.flatMap((page) => rowsOf(page)) ?? [],
    first: data?.pages[0],
    state: status,
    error,
    retry: () => void refetch(),
    onEnd,
    readAll: (most, progress) =>
      readAny(op, rowsOf, {
        most,
        progress,
        ...named,
        query: { ...filter },
        long: true,
        quiet: true,
      }),
  }
}

/** Refetches a family of queries when one of its events arrives or the socket reconnects; a burst counts once. */
export function useLive(family: string, live: readonly EventAddress[]): void {
  const [events] = useState(live)
  useEffect(() => {
    if (events.length === 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const changed = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: [family] }), burstMs)
    }
    const offs = [...events.map((event) => on(event, changed)), onReconnect(changed)]
    return () => {
      clearTimeout(timer)
      for (const off of offs) off()
    }
  }, [family, events])
}
