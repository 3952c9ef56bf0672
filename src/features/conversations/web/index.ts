import { addBulkTexts } from '#features/bulk/web/index.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { addSearch } from '#web/shell/searches.ts'
import { deferred, onFirstUse } from '#web/start/deferred.ts'
import { t } from '#web/t.ts'

export { type ContactScreens, registerContactScreens } from './contact-screens.ts'
export { type FlowScreens, registerFlowScreens } from './flow-screens.ts'
export { mayPeek } from './may-peek.ts'
export { decodeWave, playAlone, useWave } from './media/audio.ts'
export { DocumentCard } from './media/media.tsx'
export { registerTemplateScreens, type SendTemplateProps, type TemplateScreens } from './template-screens.ts'
export { RichText } from './thread/rich-text.tsx'
export { ruleLabels } from './visibility/rules.ts'

/** What is done with the conversations of a connection, for the screen of connections. */
export const loadOfConnection = () => import('./of-connection.ts')

/** What is done with many tickets of the company at once, for the attendance panel. */
export const loadOfCompany = () => import('./of-company.ts')

/** The emoji of the system, as the composer offers them. */
export const loadEmoji = async () => (await import('./composer/Emoji.tsx')).Emoji

/** As how many text messages a text goes. */
export const loadSmsParts = async () => (await import('./composer/SmsParts.tsx')).SmsParts

/** A stage of the kanban by its id. */
export const loadStageOf = async () => (await import('./list/StageOf.tsx')).StageOf

/** What mends the company's conversations. */
export const loadMaintenance = async () => (await import('./history/maintenance.ts')).maintenance

/** “Espiar”, the tickets of a contact, and how one is begun with, for screens that tell of tickets or contacts. */
export const loadOfContact = () => import('./of-contact.ts')

addSearch(async (text, signal) => (await import('./palette-search.ts')).searchTickets(text, signal))

addBulkTexts('tickets', async () => (await import('./bulk/texts.ts')).textsOf)

// The first screen does without.
onFirstUse(async () => (await import('./first-use.ts')).begin)

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
      icon: 'TicketsIcon',
      can: 'tickets:read',
      menu: { place: 'attendance' },
      children: ['chats', '$ticketId'],
      shortcut: 'g a',
      countsUnread: true,
      fill: true,
      load: async () => (await import('./attendance.tsx')).openAttendance(),
    },
    {
      path: '/macros',
      title: t('Macros'),
      icon: 'MacroIcon',
      can: 'macros:write',
      menu: { place: 'automation', order: 4 },
      load: async () => (await import('./macros/Macros.tsx')).Macros,
    },
    {
      path: '/agendamentos',
      title: t('Agendamentos'),
      icon: 'CalendarIcon',
      can: 'schedules:read',
      menu: { place: 'agenda', order: 1 },
      load: async () => (await import('./schedule/Schedules.tsx')).Schedules,
    },
    {
      path: '/notas',
      title: t('Notas'),
      icon: 'NoteIcon',
      can: 'notes:read',
      menu: { place: 'reports', order: 2 },
      load: async () => (await import('./written/lists.ts')).Notes,
    },
    {
      path: '/protocolos',
      title: t('Protocolos'),
      icon: 'ProtocolIcon',
      can: 'protocols:read',
      menu: { place: 'reports', order: 3 },
      load: async () => (await import('./written/lists.ts')).Protocols,
    },
  ],
}
