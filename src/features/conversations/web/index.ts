import { addBulkTexts } from '#features/bulk/web/index.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { addSearch } from '#web/shell/searches.ts'
import { deferred, onFirstUse } from '#web/start/deferred.ts'
import { t } from '#web/t.ts'
import { TicketsIcon } from '#web/ui/icons.ts'

export { type ContactScreens, registerContactScreens } from './contact-screens.ts'
export { mayPeek } from './may-peek.ts'
export { decodeWave, playAlone, useWave } from './media/audio.ts'
export { DocumentCard } from './media/media.tsx'
export { RichText } from './thread/rich-text.tsx'
export { ruleLabels } from './visibility/rules.ts'

/** “Importar conversas”, for the screen of connections. */
export const loadImport = async () => (await import('./history/ImportDialog.tsx')).ImportDialog

/** How operations on many tickets are told. */
export const loadBulk = () => import('./bulk/run.tsx')

/** What mends the company's conversations. */
export const loadMaintenance = async () => (await import('./history/maintenance.ts')).maintenance

/** “Espiar”, for screens that tell of tickets. */
export const loadPeek = async () => (await import('./thread/Peek.tsx')).Peek

/** The tickets of a contact, for screens that tell of contacts. */
export const loadOtherTickets = async () => (await import('./panel/OtherTickets.tsx')).OtherTickets

addSearch(async (text, signal) => (await import('./palette-search.ts')).searchTickets(text, signal))

addBulkTexts('tickets', async () => (await import('./bulk/texts.ts')).textsOf)

// The first screen does without.
onFirstUse(async () => (await import('./acts/extra.ts')).addExtras)
onFirstUse(async () => (await import('./ticket-acts/commands.ts')).addTicketActs)
onFirstUse(async () => (await import('./live/unlock.ts')).unlockSounds)
onFirstUse(async () => void (await import('./panel/ContextPanel.tsx')))

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
