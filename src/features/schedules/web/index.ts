import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `schedules`: scheduled messages. */
export const schedulesWeb: WebFeature = {
  screens: [
    {
      path: '/agendamentos',
      title: t('Agendamentos'),
      icon: 'CalendarIcon',
      can: 'schedules:read',
      menu: { place: 'agenda', order: 1 },
      load: async () => (await import('./Schedules.tsx')).Schedules,
    },
  ],
}
