import { addBulkTexts } from '#features/bulk/web/index.ts'
import type { Answer } from '#kit/contract.ts'
import type { OwnField } from '#kit/own-fields.ts'
import { choiceList } from '#web/choices.ts'
import { screenOf } from '#web/resource/resource-screen-of.tsx'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { pipelines } from '../addresses.ts'
import { opportunityFields } from '../field-addresses.ts'

type Pipeline = Answer<typeof pipelines.list>['data'][number]

declare module '#web/choices.ts' {
  interface Choices {
    pipelines: Pipeline
    opportunityFields: OwnField & { readonly inList: boolean }
  }
}

/** Loads the opportunities panel of a contact, shown beside a conversation. */
export const loadOpportunities = async () => (await import('./ContactPanel.tsx')).ContactPanel

addBulkTexts('opportunities', async () => (await import('./bulk-texts.ts')).textsOf)

/** Web feature of the funnel: board, pipelines and stages. */
export const funnelWeb: WebFeature = {
  choices: {
    pipelines: choiceList(pipelines.list, (page) => page.data),
    opportunityFields: choiceList(opportunityFields.list, (page) => page.items),
  },
  screens: [
    {
      path: '/funil/dashboard',
      redirects: { '/funil': '/funil/dashboard' },
      title: t('Painel do funil'),
      icon: 'DashboardIcon',
      can: 'funnel:read',
      menu: { place: 'funnel', order: 0, label: t('Painel do funil') },
      load: async () => (await import('./FunnelDashboard.tsx')).FunnelDashboard,
    },
    {
      path: '/funil/kanban',
      title: t('Funil'),
      icon: 'KanbanIcon',
      can: 'funnel:read',
      menu: { place: 'funnel', order: 1, label: t('Kanban') },
      fill: true,
      load: async () => (await import('./FunnelBoard.tsx')).FunnelBoard,
    },
    {
      path: '/funil/pipelines',
      title: t('Funis e etapas'),
      icon: 'StagesIcon',
      can: 'pipelines:write',
      menu: { place: 'funnel', order: 2 },
      load: async () => (await import('./Pipelines.tsx')).Pipelines,
    },
    {
      path: '/funil/acao',
      title: t('Automações do funil'),
      icon: 'RuleIcon',
      can: 'pipelines:write',
      menu: { place: 'funnel', order: 4 },
      load: async () => (await import('./Actions.tsx')).Actions,
    },
    screenOf(async () => (await import('../opportunity-fields.ts')).opportunityFields, {
      path: '/campos-de-oportunidades',
      title: t('Campos de oportunidades'),
      icon: 'OwnFieldIcon',
      can: 'pipelines:write',
      menu: { place: 'settings', group: 'CRM' },
    }),
  ],
}
