import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { DelayNotice } from './DelayNotice.tsx'

/** What came in and could not be worked on. */
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
