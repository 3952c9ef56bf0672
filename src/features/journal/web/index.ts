import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { DelayNotice } from './DelayNotice.tsx'

/** Web part of the feature `journal`: incoming events that failed and were set aside, and delays. */
export const journalWeb: WebFeature = {
  screens: [
    {
      path: '/eventos-separados',
      title: t('Mensagens com erro'),
      icon: 'SetAsideIcon',
      can: 'journal:write',
      menu: { place: 'settings', group: 'Canais e integrações', order: 100 },
      load: async () => (await import('./SetAside.tsx')).SetAside,
    },
  ],
  bars: [DelayNotice],
}
