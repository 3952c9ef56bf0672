import type { WebFeature } from '#web/screens.ts'

/** The configuration of ratings; in no menu until customers are asked. */
export const ratingsWeb: WebFeature = {
  screens: [
    {
      path: '/avaliacoes/configurar',
      title: 'Configurar Avaliação',
      can: 'ratings:write',
      load: async () => (await import('./RatingSettings.tsx')).RatingSettings,
    },
  ],
}
