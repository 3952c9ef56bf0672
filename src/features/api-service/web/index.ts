import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Keys for programs. */
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
