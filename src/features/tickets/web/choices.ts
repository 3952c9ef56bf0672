import { useQuery } from '@tanstack/react-query'
import { queues } from '#features/catalog/queues.ts'
import { tags } from '#features/catalog/tags.ts'
import { connections } from '#features/connections/contract.ts'
import { users } from '#features/users/contract.ts'
import { query } from '#web/client.ts'

const calm = { staleTime: 5 * 60_000 }

/** The queues that take work. */
export const useQueues = () =>
  useQuery({ ...query(queues.ops.list), ...calm, select: ({ items }) => items.filter((one) => one.isActive) })

/** The tags in use. */
export const useTags = () =>
  useQuery({ ...query(tags.ops.list), ...calm, select: ({ items }) => items.filter((one) => one.isActive) })

/** The connections to channels. */
export const useConnections = () =>
  useQuery({ ...query(connections.list), ...calm, select: (answer) => answer.connections })

/** The colleagues; with a queue, those who work in it. */
export const useColleagues = (queueId?: number | null) =>
  useQuery({
    ...query(users.list, { query: queueId ? { queueId } : {} }),
    ...calm,
    select: (answer) => answer.users.filter((one) => one.profile !== 'superadmin'),
  })
