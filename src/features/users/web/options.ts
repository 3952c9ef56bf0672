import { useQuery } from '@tanstack/react-query'
import { connections } from '#features/connections/addresses.ts'
import { queues } from '#features/queues/addresses.ts'
import { query } from '#web/client.ts'
import { useChoices } from '#web/resource/read-all.ts'
import { userTenants } from '../addresses.ts'

/** What filters and forms offer. */
export type Option = { id: number; name: string; color?: string; isActive?: boolean }

/** A company, and how much of its plan is used. */
export type Company = { id: number; name: string; used: number; max: number }

/** The company's queues by name. */
export const useQueueOptions = (): readonly Option[] =>
  useChoices(queues.list, (page) => page.items.map(({ queue, ...rest }) => ({ ...rest, name: queue })))

/** The company's connections by name. */
export const useConnectionOptions = (): readonly Option[] =>
  useQuery({
    ...query(connections.list),
    staleTime: 60_000,
    select: (answer) => answer.connections.map(({ id, name }) => ({ id, name })),
  }).data ?? []

/** The companies of the installation, by name. */
export const useCompanies = (): readonly Company[] => useChoices(userTenants.companies, (page) => page.companies)
