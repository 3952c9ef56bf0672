import { assistantScreens } from '#domain/assistants/names.ts'
import type { Screen, WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { BotIcon, ReportsIcon } from '#web/ui/icons.ts'
import { BudgetNotice } from './BudgetNotice.tsx'

const load = () => import('./assistant-screen.tsx')

/** Loads the conversation's assistant components: the turns of a ticket, and the copilot. */
export const loadAssistants = () => import('./conversation.ts')

/** Loads the transcript component, shown below a recording. */
export const loadTranscript = async () => (await import('./Transcript.tsx')).Transcript

/** Web part of the feature `assistants`: AI assistants that answer customers, and their cost. */
export const assistantsWeb: WebFeature = {
  bars: [BudgetNotice],
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
      ...{ path: '/configuracoes/custos-de-ia', title: t('Custos de IA'), icon: ReportsIcon },
      can: 'assistants:write',
      menu: { place: 'settings', group: 'Bots e IA' },
      load: async () => (await import('./Costs.tsx')).Costs,
    },
  ],
}
