import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `webhook-endpoints`: webhook endpoints and their deliveries. */
export const webhookEndpointsWeb: WebFeature = {
  screens: [
    {
      path: '/configuracoes/webhooks',
      title: t('Webhooks'),
      icon: 'WebhookIcon',
      can: 'webhooks:write',
      menu: { place: 'settings', group: 'API e segurança' },
      load: async () => (await import('./Webhooks.tsx')).Webhooks,
    },
  ],
}
