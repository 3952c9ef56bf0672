import { later } from '#web/later.ts'
import type { WebFeature } from '#web/screens.ts'
import { addSearch } from '#web/searches.ts'
import { TicketsIcon } from '#web/ui/icons.ts'

/** “Espiar”, for screens that tell of tickets. */
export const loadPeek = async () => (await import('./peek.tsx')).Peek

addSearch(async (text, signal) => (await import('./palette-search.ts')).searchTickets(text, signal))

// What arrives is heard and counted on every screen.
later(async () => (await import('./alerts.ts')).startAlerts)

/** The attendance screen: list, conversation, context. */
export const ticketsWeb: WebFeature = {
  bell: async () => (await import('./bell-panel.tsx')).BellPanel,
  screens: [
    {
      path: '/atendimento',
      title: 'Atendimentos',
      icon: TicketsIcon,
      can: 'tickets:read',
      menu: { group: 'Atendimento', order: 1, phone: 1 },
      children: ['chats', '$ticketId'],
      shortcut: 'g a',
      countsUnread: true,
      fill: true,
      load: async () => (await import('./attendance.tsx')).openAttendance(),
    },
  ],
}
