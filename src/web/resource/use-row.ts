import { useQuery } from '@tanstack/react-query'
import type { Address } from '#kit/addresses.ts'
import type { Answer } from '#kit/contract.ts'
import { queryAny } from '../client.ts'

/** Reads the row of a form anew, since a cached one may be outdated. 'novo' reads none. */
export function useRow<O extends Address>(op: O, id: string) {
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...queryAny<Answer<O>>(op, { params: { id: /^\d+$/.test(id) ? Number(id) : id } }),
    enabled: id !== 'novo',
    staleTime: 0,
  })
  return { data: isFetchedAfterMount ? data : undefined, error, refetch }
}
