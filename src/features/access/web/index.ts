import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Who can see and do what. */
export const accessWeb: WebFeature = {
  screens: [
    {
      path: '/usuarios/acessos',
      title: t('Acessos'),
      icon: 'AccessIcon',
      can: 'users:write',
      menu: { place: 'settings', group: 'Equipe e acesso' },
      load: async () => (await import('./Access.tsx')).Access,
    },
  ],
}
