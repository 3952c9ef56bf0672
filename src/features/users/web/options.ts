import { useQuery } from '@tanstack/react-query'
import { choicesOf } from '#web/resource/read-all.ts'
import { userTenants } from '../user-tenants-addresses.ts'

/** A company, and how much of its plan is used. */
export type Company = { id: number; name: string; used: number; max: number }

/** The companies of the installation, by name. */
export const useCompanies = (): readonly Company[] =>
  useQuery(choicesOf(userTenants.companies, (page) => page.companies)).data ?? []
