import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { QueuesIcon } from '#web/ui/icons.ts'

export { useQueueChoices } from './choices.ts'

/** Queues. */
export const queuesWeb: WebFeature = {
  screens: [
    {
      path: '/filas',
      title: t('Filas'),
      icon: QueuesIcon,
      can: 'queues:write',
      menu: { group: 'Gestão Comercial' },
      load: async () => (await import('./Queues.tsx')).Queues,
    },
  ],
}
