import { useQuery } from '@tanstack/react-query'
import { users } from '#features/users/contract.ts'
import { call } from '#web/client.ts'
import { readAll } from '#web/resource/read-all.ts'
import { type QueueRow, queues } from '../contract.ts'

const mostChoices = 1000

/** Every queue of the company, by name. */
export const useQueueChoices = (): readonly QueueRow[] =>
  useQuery({
    queryKey: [queues.list.family, 'choices'],
    queryFn: ({ signal }) =>
      readAll(async (cursor): Promise<{ rows: QueueRow[]; nextCursor: string | null }> => {
        const page = await call(queues.list, { query: { cursor } }, { signal })
        return { rows: page.items, nextCursor: page.nextCursor }
      }, mostChoices),
    staleTime: 60_000,
  }).data ?? []

type Person = { id: number; name: string; email: string }

/** Everybody who works for the company, by name. */
export const usePeople = (): readonly Person[] =>
  useQuery({
    queryKey: [users.list.family, 'people'],
    queryFn: ({ signal }) =>
      readAll(async (cursor): Promise<{ rows: Person[]; nextCursor: string | null }> => {
        const page = await call(users.list, { query: { cursor } }, { signal })
        return { rows: page.users.map(({ id, name, email }) => ({ id, name, email })), nextCursor: page.nextCursor }
      }, mostChoices),
    staleTime: 60_000,
  }).data ?? []
