import { addBulkTexts } from '#features/bulk/web/index.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { addSearch } from '#web/shell/searches.ts'
import { deferred, onFirstUse } from '#web/start/deferred.ts'
import { t } from '#web/t.ts'
import { TicketsIcon } from '#web/ui/icons.ts'

export { type ContactScreens, registerContactScreens } from './contact-screens.ts'
export { decodeWave, playAlone, useWave } from './media/audio.ts'
export { DocumentCard } from './media/media.tsx'
export { RichText } from './thread/rich-text.tsx'

/** “Espiar”, for screens that tell of tickets. */
export const loadPeek = async () => (await import('./thread/Peek.tsx')).Peek

addSearch(async (text, signal) => (await import('./palette-search.ts')).searchTickets(text, signal))

addBulkTexts('tickets', async () => (await import('./bulk/texts.ts')).textsOf)

// The first screen does without.
onFirstUse(async () => (await import('./acts/extra.ts')).addExtras)
onFirstUse(async () => (await import('./ticket-acts/commands.ts')).addTicketActs)

// What arrives is received and counted on every screen.
deferred(async () => (await import('./live/alerts.ts')).startAlerts)

/** The attendance screen: list, conversation, context. */
export const conversationsWeb: WebFeature = {
  bell: async () => (await import('./live/BellPanel.tsx')).BellPanel,
  screens: [
    {
      path: '/atendimento',
      redirects: { '/chats': '/atendimento/chats/' },
      title: t('Atendimentos'),
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
