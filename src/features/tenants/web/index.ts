import type { WebFeature } from '#web/screens.ts'
import { PlansIcon } from '#web/ui/icons.ts'

/** The company and the installation. */
export const tenantsWeb: WebFeature = {
  screens: [
    {
      path: '/assinatura',
      title: 'Assinatura',
      icon: PlansIcon,
      can: 'session',
      profiles: ['admin', 'superadmin'],
      menu: { group: 'Sistema' },
      load: async () => (await import('./Subscription.tsx')).Subscription,
    },
  ],
}
