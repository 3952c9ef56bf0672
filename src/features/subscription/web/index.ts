import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `subscription`: the company's plan, and the state of the installation. */
export const subscriptionWeb: WebFeature = {
  screens: [
    {
      path: '/assinatura',
      title: t('Assinatura'),
      icon: 'SubscriptionIcon',
      can: 'session',
      profiles: ['admin', 'superadmin'],
      menu: { place: 'settings', group: 'Empresa' },
      load: async () => (await import('./Subscription.tsx')).Subscription,
    },
  ],
}
