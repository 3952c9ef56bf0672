import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { type Choices, choices } from '#web/choices.ts'
import { store } from '#web/session/session.ts'

/** Rows of a kind, undefined until loaded. */
type Rows<F extends keyof Choices> = readonly Choices[F][] | undefined

const useCalm = <F extends keyof Choices>(family: F, query?: Readonly<Record<string, unknown>>): Rows<F> =>
  useQuery({ ...choices(family, query), staleTime: 5 * 60_000 }).data

function useActive<F extends 'queues' | 'tags'>(family: F): Rows<F> {
  const rows = useCalm(family)
  return useMemo(() => rows?.filter((one) => one.isActive), [rows])
}

/** Returns the active queues, also stored as `filasCadastradas` (specification §3). */
export function useQueues(): Rows<'queues'> {
  const active = useActive('queues')
  useEffect(() => {
    const chosen = active?.map(({ id, queue }) => ({ id, queue }))
    if (chosen) store('filasCadastradas', chosen)
  }, [active])
  return active
}

/** Returns the active tags. */
export const useTags = (): Rows<'tags'> => useActive('tags')

/** Returns the stages of the kanban. */
export const useStages = (): Rows<'stages'> => useCalm('stages')

/** Returns the connections. */
export const useConnections = (): Rows<'connections'> => useCalm('connections')

/** Returns the colleagues to whom a ticket can be given, optionally only those of a queue. */
export const useColleagues = (queueId?: number | null): Rows<'users'> =>
  useCalm('users', { assignable: true, ...(queueId ? { queueId } : {}) })
