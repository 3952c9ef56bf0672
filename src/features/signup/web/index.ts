import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { PlansIcon } from '#web/ui/icons.ts'

/** What the installation offers. */
export const signupWeb: WebFeature = {
  screens: [
    {
      path: '/planos',
      title: t('Planos'),
      icon: PlansIcon,
      can: 'platform:write',
      menu: { group: 'Empresas e Licença' },
      load: async () => (await import('./Plans.tsx')).Plans,
    },
  ],
}
