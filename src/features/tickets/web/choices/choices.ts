import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { type Choices, choices } from '#web/choices.ts'
import { store } from '#web/session/session.ts'

/** Every row of a family, undefined until they are read. */
type Rows<F extends keyof Choices> = readonly Choices[F][] | undefined

const useCalm = <F extends keyof Choices>(family: F, query?: Readonly<Record<string, unknown>>): Rows<F> =>
  useQuery({ ...choices(family, query), staleTime: 5 * 60_000 }).data

function useActive<F extends 'queues' | 'tags'>(family: F): Rows<F> {
  const rows = useCalm(family)
  return useMemo(() => rows?.filter((one) => one.isActive), [rows])
}

/** The queues that take work, kept as `filasCadastradas` too (specification §3). */
export function useQueues(): Rows<'queues'> {
  const active = useActive('queues')
  useEffect(() => {
    const chosen = active?.map(({ id, queue }) => ({ id, queue }))
    if (chosen) store('filasCadastradas', chosen)
  }, [active])
  return active
}

/** The tags in use. */
export const useTags = (): Rows<'tags'> => useActive('tags')

/** The stages of the kanban. */
export const useStages = (): Rows<'stages'> => useCalm('stages')

/** The connections to channels. */
export const useConnections = (): Rows<'connections'> => useCalm('connections')

/** The colleagues whom a ticket can be given to; with a queue, those who work in it. */
export const useColleagues = (queueId?: number | null): Rows<'users'> =>
  useCalm('users', { assignable: true, ...(queueId ? { queueId } : {}) })
