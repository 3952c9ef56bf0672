import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `teams`: teams. */
export const teamsWeb: WebFeature = {
  screens: [
    {
      path: '/equipes',
      title: t('Equipes'),
      icon: 'TeamsIcon',
      can: 'teams:write',
      menu: { place: 'settings', group: 'Equipe e acesso' },
      load: async () => (await import('./Teams.tsx')).Teams,
    },
  ],
}
