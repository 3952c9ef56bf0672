import { useQuery } from '@tanstack/react-query'
import { choicesOf } from '#web/resource/read-all.ts'
import { userTenants } from '../user-tenants-addresses.ts'

/** Company with its plan usage. */
export type Company = { id: number; name: string; used: number; max: number }

/** Returns the companies of the installation, by name. */
export const useCompanies = (): readonly Company[] =>
  useQuery(choicesOf(userTenants.companies, (page) => page.companies)).data ?? []
