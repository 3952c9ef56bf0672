import type { AssistantScreens } from '#features/conversations/web/index.ts'
import { assistantNames } from '#providers/assistants/looks.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { BotIcon } from '#web/ui/icons.ts'

/** What assistants show within conversations. */
export const assistantScreens: AssistantScreens = {
  loadTurns: async () => (await import('./TicketAssistants.tsx')).TicketAssistants,
}

/** Assistants: a screen per provider. */
export const assistantsWeb: WebFeature = {
  screens: assistantNames.split(',').map((title) => {
    const id = title.split(' ')[0]!.toLowerCase()
    return {
      path: `/configuracoes/${id.replace('tg', 't-g')}`,
      title,
      icon: BotIcon,
      can: 'assistants:write',
      menu: { place: 'settings', group: 'Bots e IA' },
      load: async () => (await import('./assistant-screen.tsx')).assistantScreen(id),
    }
  }),
}
