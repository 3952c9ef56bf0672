import type { Answer } from '#kit/contract.ts'
import { choiceList } from '#web/choices.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { calendarAccounts } from '../addresses.ts'

type Account = Answer<typeof calendarAccounts.choices>['data'][number]

declare module '#web/choices.ts' {
  interface Choices {
    calendars: Account
  }
}

/** Web part of the feature `calendar`: the calendar, and the company's calendars at a provider. */
export const calendarWeb: WebFeature = {
  choices: { calendars: choiceList(calendarAccounts.choices, (page) => page.data) },
  screens: [
    {
      path: '/funil/calendar',
      title: t('Calendário'),
      icon: 'CalendarMonthIcon',
      can: 'calendar:read',
      menu: { place: 'funnel', order: 3 },
      load: async () => (await import('./Calendar.tsx')).Calendar,
    },
    {
      path: '/configuracoes/google-calendar',
      title: t('Google Agenda'),
      icon: 'GoogleIcon',
      can: 'calendar-accounts:write',
      menu: { place: 'settings', group: 'Canais e integrações' },
      load: async () => (await import('./Accounts.tsx')).Accounts,
    },
  ],
}
