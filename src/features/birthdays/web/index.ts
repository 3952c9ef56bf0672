import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `birthdays`: birthdays of contacts and greetings. */
export const birthdaysWeb: WebFeature = {
  screens: [
    {
      path: '/aniversarios',
      title: t('Aniversários'),
      icon: 'BirthdayIcon',
      can: 'birthdays:read',
      menu: { place: 'agenda', order: 2 },
      load: async () => (await import('./Birthdays.tsx')).Birthdays,
    },
  ],
}
