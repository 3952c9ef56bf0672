import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import { assistants as assistantAddresses } from '#features/assistants/addresses.ts'
import { ticketCommands } from '#features/tickets/commands-addresses.ts'
import { useChoices } from '#web/choices.ts'
import { query } from '#web/client.ts'
import type { Detail } from './draft.ts'

/** Record that a flow may refer to. */
export type Named = { readonly id: number; readonly name: string }

/** Records that a flow may refer to, by kind. */
export type Names = Readonly<
  Record<
    'queues' | 'users' | 'tags' | 'stages' | 'pipelineStages' | 'calendars' | 'reasons' | 'flows',
    readonly Named[]
  >
> & {
  readonly assistants: readonly (Named & { readonly provider: string })[]
  readonly connections: readonly (Named & { readonly type: string })[]
  /** Id of the edited flow. */
  readonly flowId: number
}

/** Loads the records that a flow may refer to; excludes the flow itself from those that it can start. */
export function useNamesOf({ id, usuarios, filas }: Detail): Names {
  const tags = useChoices('tags')
  const stages = useChoices('stages')
  const pipelines = useChoices('pipelines')
  const calendars = useChoices('calendars')
  const reasons = useChoices('reasons')
  const connections = useChoices('connections')
  const { data: accounts } = useQuery(query(assistantAddresses.choices))
  const { data } = useQuery(query(ticketCommands.chatFlows))
  return useMemo(() => {
    const queues = filas.map((one) => ({ id: one.id, name: one.queue }))
    const others = (data?.chatFlow ?? []).filter((one) => one.id !== id)
    const pipelineStages = pipelines.flatMap(({ name, stages: own }) =>
      own.map((one) => ({ id: one.id, name: `${name} · ${one.name}` })),
    )
    const assistants = accounts?.assistants ?? []
    const known = { tags, stages, pipelineStages, calendars, reasons, connections, assistants }
    return { flowId: id, queues, users: usuarios, flows: others, ...known }
  }, [usuarios, filas, tags, stages, pipelines, calendars, reasons, connections, accounts, data, id])
}

const none: Names = {
  ...{
    flowId: 0,
    queues: [],
    users: [],
    tags: [],
    stages: [],
    pipelineStages: [],
    calendars: [],
    reasons: [],
    flows: [],
    connections: [],
    assistants: [],
  },
}
const NamesContext = createContext<Names>(none)

/** Context provider of the names. */
export const NamesProvider = NamesContext.Provider

/** Returns the records that the flow on screen may refer to. */
export const useNames = (): Names => useContext(NamesContext)
