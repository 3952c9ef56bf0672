import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { settings } from '../settings.ts'
import { companyRoutes } from './companies.ts'

export { checkPlan } from './plan.ts'
export { claimOwnership, createTenant, setOwner } from './queries.ts'
export { claimBilling, endTrials, notifyCompany, updateCompany } from './queries-companies.ts'
export { trialEnd } from './trial.ts'

/** Server part of the feature `tenants`: the companies of the installation. */
export const tenantsFeature: Feature = {
  name: 'tenants',
  titles: { companies: 'Empresas' },
  settings,
  errors,
  routes: companyRoutes,
  constraints: { tenants_plan_id_fkey: 'ERR_NO_PLAN_FOUND' },
}
