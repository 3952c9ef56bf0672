import { useQuery } from '@tanstack/react-query'
import { call } from '#web/client.ts'
import { readAll } from '#web/resource/read-all.ts'
import { userTenants } from '../user-tenants.ts'

const mostCompanies = 2000

/** A company, and how much of its plan is used. */
export type Company = { id: number; name: string; used: number; max: number }

/** The companies of the installation, by name. */
export const useCompanies = (): readonly Company[] =>
  useQuery({
    queryKey: [userTenants.companies.family, 'options'],
    queryFn: ({ signal }) =>
      readAll(async (cursor): Promise<{ rows: Company[]; nextCursor: string | null }> => {
        const page = await call(userTenants.companies, { query: { cursor } }, { signal })
        return { rows: page.companies, nextCursor: page.nextCursor }
      }, mostCompanies),
    staleTime: 60_000,
  }).data ?? []
