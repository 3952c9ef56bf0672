import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `api-service`: API keys for programs, and the external API (decision 0326). */
export const apiServiceWeb: WebFeature = {
  screens: [
    {
      path: '/api-service',
      title: t('API'),
      icon: 'ApiKeyIcon',
      can: 'api:write',
      menu: { place: 'settings', group: 'API e segurança' },
      load: async () => (await import('./ApiService.tsx')).ApiService,
    },
  ],
}
