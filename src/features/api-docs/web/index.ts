import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `api-docs`: the API reference. */
export const apiDocsWeb: WebFeature = {
  screens: [
    {
      path: '/api-referencia',
      title: t('API: referência'),
      icon: 'ApiIcon',
      can: 'session',
      profiles: ['admin', 'superadmin'],
      menu: { place: 'settings', group: 'API e segurança' },
      fill: true,
      load: async () => (await import('./Reference.tsx')).Reference,
    },
  ],
}
