import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `access`: the permissions of users and the reasons for denials. */
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
