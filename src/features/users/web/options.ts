import { useQuery } from '@tanstack/react-query'
import { connections } from '#features/connections/contract.ts'
import { queues } from '#features/queues/contract.ts'
import { call, query } from '#web/client.ts'
import { readAll } from '#web/resource/read-all.ts'

const mostOptions = 1000

/** What filters and forms offer. */
export type Option = { id: number; name: string; color?: string; isActive?: boolean }

/** The company's queues by name. */
export const useQueueOptions = (): readonly Option[] =>
  useQuery({
    queryKey: [queues.list.family, 'options'],
    queryFn: ({ signal }) =>
      readAll(async (cursor): Promise<{ rows: Option[]; nextCursor: string | null }> => {
        const page = await call(queues.list, { query: { cursor } }, { signal })
        return {
          rows: page.items.map(({ id, queue, color, isActive }) => ({ id, name: queue, color, isActive })),
          nextCursor: page.nextCursor,
        }
      }, mostOptions),
    staleTime: 60_000,
  }).data ?? []

/** The company's connections by name. */
export const useConnectionOptions = (): readonly Option[] =>
  useQuery({
    ...query(connections.list),
    staleTime: 60_000,
    select: (answer) => answer.connections.map(({ id, name }) => ({ id, name })),
  }).data ?? []
