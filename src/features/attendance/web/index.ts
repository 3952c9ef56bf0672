import { addBulkTexts } from '#features/bulk/web/index.ts'
import { registerPeek } from '#features/tickets/web/actions/peek-screen.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { addSearch } from '#web/shell/searches.ts'
import { deferred, onFirstUse } from '#web/start/deferred.ts'
import { t } from '#web/t.ts'

/** Loads actions on the conversations of a connection, for the connections screen. */
export const loadOfConnection = () => import('./of-connection.ts')

/** Loads bulk actions on the company's tickets, for the attendance panel. */
export const loadOfCompany = () => import('./of-company.ts')

/** Loads “Espiar”, a contact's tickets and the start of a conversation, for other screens. */
export const loadOfContact = () => import('./of-contact.ts')

registerPeek(async () => (await import('./conversation/Peek.tsx')).Peek)

addSearch(async (text, signal) => (await import('./start/palette-search.ts')).searchTickets(text, signal))

addBulkTexts('tickets', async () => (await import('#features/tickets/web/bulk/texts.ts')).textsOf)

// Not needed for the first render.
onFirstUse(async () => (await import('./first-use.ts')).begin)

// Alerts run on every screen.
deferred(async () => (await import('./alerts/alerts.ts')).startAlerts)

/** Web feature of attendance: list, conversation and context. */
export const attendanceWeb: WebFeature = {
  bell: async () => (await import('./alerts/BellPanel.tsx')).BellPanel,
  screens: [
    {
      path: '/atendimento',
      redirects: { '/chats': '/atendimento/chats/' },
      title: t('Atendimentos'),
      icon: 'TicketsIcon',
      can: 'tickets:read',
      menu: { place: 'attendance' },
      children: ['chats', '$ticketId'],
      shortcut: 'g a',
      countsUnread: true,
      fill: true,
      load: async () => (await import('./attendance.tsx')).openAttendance(),
    },
  ],
}
