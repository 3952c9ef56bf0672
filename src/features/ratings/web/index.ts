import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `ratings`: ratings: the question after a ticket, and the answers. */
export const ratingsWeb: WebFeature = {
  screens: [
    {
      path: '/avaliacoes/listar',
      redirects: { '/avaliacoes': '/avaliacoes/listar' },
      title: t('Avaliações'),
      icon: 'StarIcon',
      can: 'ratings:read',
      menu: { place: 'reports', order: 1 },
      load: async () => (await import('./Ratings.tsx')).Ratings,
    },
    {
      path: '/avaliacoes/configurar',
      title: t('Pesquisa de avaliação'),
      icon: 'SurveyIcon',
      can: 'ratings:write',
      menu: { place: 'settings', group: 'Atendimento' },
      load: async () => (await import('./RatingSettings.tsx')).RatingSettings,
    },
  ],
}
