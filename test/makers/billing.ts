import { type FeatureMakers, ownCompany } from './maker.ts'

export const makers: FeatureMakers = {
  params: { 'billing.tenantId': ownCompany },
  // The superadmin's: every company's.
  shared: ['billing.tenantId'],
  bodies: {
    'billing.saveAccount': { asaasToken: '$aact_hmlg_teste' },
    'billing.start': { value: '99.90', nextDueDate: '2026-12-10' },
  },
  open: ['billing.receive'],
}
