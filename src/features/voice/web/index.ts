import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { PhoneBar } from './PhoneBar.tsx'

/** Web feature of voice calls: the phone on every page, the devices, and the log of calls. */
export const voiceWeb: WebFeature = {
  bars: [PhoneBar],
  screens: [
    {
      path: '/wavoip',
      title: t('Linhas de voz'),
      icon: 'PhoneIcon',
      can: 'voice:write',
      menu: { place: 'settings', group: 'Canais e integrações', order: 30 },
      load: async () => (await import('./VoiceDevices.tsx')).VoiceDevices,
    },
    {
      path: '/logligacao',
      title: t('Ligações'),
      icon: 'PhoneIcon',
      can: 'voice:read',
      menu: { place: 'reports' },
      load: async () => (await import('./Calls.tsx')).Calls,
    },
  ],
}
