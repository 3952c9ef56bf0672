import { useCallback } from 'react'

type Paged = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }

/** What a list does when its end comes near: reads the next page, unless there is none or it is on its way. */
export function useNextPage({ hasNextPage, isFetchingNextPage, fetchNextPage }: Paged): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
}
