import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `billing`: the payments of companies, for the superadmin and for themselves. */
export const billingWeb: WebFeature = {
  screens: [
    {
      path: '/pagamentostenants',
      title: t('Pagamentos das empresas'),
      icon: 'SubscriptionIcon',
      can: 'platform:write',
      menu: { place: 'installation', group: 'Empresas', order: 4 },
      load: async () => (await import('./BilledCompanies.tsx')).BilledCompanies,
    },
    {
      path: '/configuracoes/pagamentos',
      title: t('Pagamentos'),
      icon: 'SubscriptionIcon',
      can: 'billing:read',
      profiles: ['admin'],
      menu: { place: 'settings', group: 'Empresa' },
      load: async () => (await import('./own-payments.tsx')).OwnPayments,
    },
    {
      path: '/configuracoesbloqueio',
      title: t('Pagamento vencido'),
      icon: 'SubscriptionIcon',
      can: 'session',
      whenOverdue: 'only',
      menu: { place: 'settings', group: 'Empresa' },
      load: async () => (await import('./own-payments.tsx')).Overdue,
    },
  ],
}
