import { useQuery } from '@tanstack/react-query'
import { tags } from '#features/catalog/tags.ts'
import { users } from '#features/users/contract.ts'
import { call } from '#web/client.ts'
import { readAll } from '#web/resource/read-all.ts'

const mostOptions = 1000

/** What filters and forms offer: the value on the wire, its name, and a tag's colour. */
export type Option = { id: number; name: string; color?: string; isActive?: boolean }

/** The company's tags by name. */
export const useTags = (): readonly Option[] =>
  useQuery({
    queryKey: [tags.spec.name, 'options'],
    queryFn: ({ signal }) =>
      readAll(async (cursor): Promise<{ rows: Option[]; nextCursor: string | null }> => {
        const page = await call(tags.ops.list, { query: { cursor } }, { signal })
        return {
          rows: page.items.map(({ id, tag, color, isActive }) => ({ id, name: tag, color, isActive })),
          nextCursor: page.nextCursor,
        }
      }, mostOptions),
    staleTime: 60_000,
  }).data ?? []

/** The colleagues by name, each of whom can have a wallet. */
export const useColleagues = (): readonly Option[] =>
  useQuery({
    queryKey: ['users', 'options'],
    queryFn: ({ signal }) =>
      readAll(async (cursor): Promise<{ rows: Option[]; nextCursor: string | null }> => {
        const page = await call(users.list, { query: { cursor } }, { signal })
        return { rows: page.users.map(({ id, name }) => ({ id, name })), nextCursor: page.nextCursor }
      }, mostOptions),
    staleTime: 60_000,
  }).data ?? []
