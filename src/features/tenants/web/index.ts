import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { CompaniesIcon } from '#web/ui/icons.ts'

/** The companies of the installation. */
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
  ],
}
