import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { SignalIcon } from '#web/ui/icons.ts'

/** The company's connections to channels. */
export const connectionsWeb: WebFeature = {
  screens: [
    {
      path: '/sessoes',
      redirects: { '/configuracoes/sessoes': '/sessoes' },
      title: t('Canais de Comunicação'),
      icon: SignalIcon,
      can: 'connections:list',
      menu: { group: 'Administração', label: t('Canais') },
      load: async () => (await import('./Connections.tsx')).Connections,
    },
  ],
}
