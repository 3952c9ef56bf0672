import { useQuery } from '@tanstack/react-query'
import { tags } from '#features/catalog/addresses.ts'
import { connections } from '#features/connections/addresses.ts'
import { queues } from '#features/queues/addresses.ts'
import { users } from '#features/users/addresses.ts'

import { query } from '#web/client.ts'
import { store } from '#web/session/session.ts'

const calm = { staleTime: 5 * 60_000 }

type Queue = { id: number; queue: string; isActive: boolean }

/** The queues that take work, kept as `filasCadastradas` too (specification §3). */
function registered<Q extends Queue>({ items }: { items: readonly Q[] }): Q[] {
  const active = items.filter((one) => one.isActive)
  store(
    'filasCadastradas',
    active.map(({ id, queue }) => ({ id, queue })),
  )
  return active
}

/** The queues that take work. */
export const useQueues = () => useQuery({ ...query(queues.list), ...calm, select: registered })

/** The tags in use. */
export const useTags = () =>
  useQuery({ ...query(tags.list), ...calm, select: ({ items }) => items.filter((one) => one.isActive) })

/** The connections to channels. */
export const useConnections = () =>
  useQuery({ ...query(connections.list), ...calm, select: (answer) => answer.connections })

/** The colleagues whom a ticket can be given to; with a queue, those who work in it. */
export const useColleagues = (queueId?: number | null) =>
  useQuery({
    ...query(users.list, { query: { assignable: true, ...(queueId ? { queueId } : {}) } }),
    ...calm,
    select: (answer) => answer.users,
  })
