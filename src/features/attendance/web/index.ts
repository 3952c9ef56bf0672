import { addBulkTexts } from '#features/bulk/web/index.ts'
import { registerPeek } from '#features/tickets/web/actions/peek-screen.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { addSearch } from '#web/shell/searches.ts'
import { deferred, onFirstUse } from '#web/start/deferred.ts'
import { t } from '#web/t.ts'

/** What is done with the conversations of a connection, for the screen of connections. */
export const loadOfConnection = () => import('./of-connection.ts')

/** What is done with many tickets of the company at once, for the attendance panel. */
export const loadOfCompany = () => import('./of-company.ts')

/** “Espiar”, the tickets of a contact, and how one is begun with, for screens that tell of tickets or contacts. */
export const loadOfContact = () => import('./of-contact.ts')

registerPeek(async () => (await import('./conversation/Peek.tsx')).Peek)

addSearch(async (text, signal) => (await import('./start/palette-search.ts')).searchTickets(text, signal))

addBulkTexts('tickets', async () => (await import('#features/tickets/web/bulk/texts.ts')).textsOf)

// The first screen does without.
onFirstUse(async () => (await import('./first-use.ts')).begin)

// What arrives is received and counted on every screen.
deferred(async () => (await import('./alerts/alerts.ts')).startAlerts)

/** The attendance screen: list, conversation, context. */
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
