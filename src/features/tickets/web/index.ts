import type { WebFeature } from '#web/screens.ts'
import { addSearch } from '#web/searches.ts'
import { TicketsIcon } from '#web/ui/icons.ts'

addSearch(async (text, signal) => (await import('./palette-search.ts')).searchTickets(text, signal))

/** The attendance screen: list, conversation, context; and the sounds and notices of what arrives, on every screen. */
export const ticketsWeb: WebFeature = {
  later: async () => (await import('./alerts.ts')).startAlerts,
  screens: [
    {
      path: '/atendimento',
      title: 'Atendimentos',
      icon: TicketsIcon,
      can: 'tickets:read',
      menu: { group: 'Atendimento', order: 1, phone: 1 },
      children: ['chats', '$ticketId'],
      shortcut: 'g a',
      fill: true,
      load: async () => (await import('./attendance.tsx')).Attendance,
    },
  ],
}
