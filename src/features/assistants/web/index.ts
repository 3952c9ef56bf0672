import { assistantScreens } from '#domain/assistants/names.ts'
import { choiceList } from '#web/choices.ts'
import type { Screen, WebFeature } from '#web/shell/screens.ts'
import { BotIcon, ReportsIcon } from '#web/ui/icons.ts'
import { assistants } from '../addresses.ts'
import type { AssistantChoice } from '../contract.ts'

declare module '#web/choices.ts' {
  interface Choices {
    assistants: AssistantChoice
  }
}

const load = () => import('./assistant-screen.tsx')

/** Loads who answered in a ticket, and by what, which conversations show. */
export const loadTurns = async () => (await load()).TicketAssistants

/** Loads what stands below a recording. */
export const loadTranscript = async () => (await import('./Transcript.tsx')).Transcript

/** Loads the copilot of a conversation. */
export const loadCopilot = async () => (await import('./Copilot.tsx')).Copilot

/** Assistants: a screen per provider. */
export const assistantsWeb: WebFeature = {
  choices: { assistants: choiceList(assistants.choices, (page) => page.assistants) },
  screens: [
    ...assistantScreens.map(
      ({ id, title, path }): Screen => ({
        ...{ path, title, icon: BotIcon },
        can: 'assistants:write',
        menu: { place: 'settings', group: 'Bots e IA' },
        load: async () => (await load()).assistantScreen(id),
      }),
    ),
    {
      ...{ path: '/configuracoes/custos-de-ia', title: 'Custos de IA', icon: ReportsIcon },
      can: 'assistants:write',
      menu: { place: 'settings', group: 'Bots e IA' },
      load: async () => (await import('./Costs.tsx')).Costs,
    },
  ],
}
