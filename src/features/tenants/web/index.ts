import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `tenants`: the companies of the installation. */
export const tenantsWeb: WebFeature = {
  screens: [
    {
      path: '/tenants',
      title: t('Empresas'),
      icon: 'CompaniesIcon',
      can: 'platform:write',
      menu: { place: 'installation', group: 'Empresas', order: 1 },
      load: async () => (await import('./Companies.tsx')).Companies,
    },
  ],
}
