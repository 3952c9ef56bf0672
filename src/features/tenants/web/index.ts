import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { CompaniesIcon, PlansIcon } from '#web/ui/icons.ts'

/** The company, the companies and the installation. */
export const tenantsWeb: WebFeature = {
  screens: [
    {
      path: '/tenants',
      title: t('Empresas'),
      icon: CompaniesIcon,
      can: 'platform:write',
      menu: { group: 'Empresas e Licença', label: t('Empresas') },
      load: async () => (await import('./Companies.tsx')).Companies,
    },
    {
      path: '/assinatura',
      title: t('Assinatura'),
      icon: PlansIcon,
      can: 'session',
      profiles: ['admin', 'superadmin'],
      menu: { group: 'Sistema' },
      load: async () => (await import('./Subscription.tsx')).Subscription,
    },
  ],
}
