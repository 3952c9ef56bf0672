import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `hours`: business hours and holidays. */
export const hoursWeb: WebFeature = {
  screens: [
    {
      path: '/horario-atendimento',
      title: t('Horário de atendimento'),
      icon: 'HoursIcon',
      can: 'hours:write',
      menu: { place: 'settings', group: 'Atendimento' },
      finds: async () => (await import('./findable.ts')).findable(),
      load: async () => (await import('./Hours.tsx')).Hours,
    },
  ],
}
