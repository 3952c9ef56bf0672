import type { Answer } from '#kit/contract.ts'
import { choiceList } from '#web/choices.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { stages } from '../addresses.ts'

type Stage = Answer<typeof stages.list>['items'][number]

declare module '#web/choices.ts' {
  interface Choices {
    stages: Stage
  }
}

/** Web part of the feature `kanban`: the kanban: stages, and the board of contacts by stage or tag. */
export const kanbanWeb: WebFeature = {
  choices: { stages: choiceList(stages.list, (page) => page.items) },
  screens: [
    {
      path: '/kanban/kanbans',
      redirects: { '/kanban': '/kanban/kanbans' },
      title: t('Kanban'),
      icon: 'KanbanIcon',
      can: 'kanban:read',
      menu: { place: 'funnel', order: 9, label: t('Contatos por etapa') },
      fill: true,
      load: async () => (await import('./Board.tsx')).Board,
    },
    {
      path: '/kanban/tags',
      title: t('Kanban por etiqueta'),
      can: 'kanban:read',
      fill: true,
      load: async () => (await import('./TagBoard.tsx')).TagBoard,
    },
    {
      path: '/lanes',
      redirects: { '/configuracoes/lanes': '/lanes' },
      title: t('Etapas do Kanban'),
      icon: 'StagesIcon',
      can: 'stages:write',
      menu: { place: 'settings', group: 'CRM' },
      load: async () => {
        const [{ stagesScreen }, table] = await Promise.all([import('./stages-screen.tsx'), import('../stages.ts')])
        return stagesScreen(table.stages)
      },
    },
  ],
}
