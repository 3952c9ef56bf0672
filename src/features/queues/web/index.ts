import type { WebFeature } from '#web/shell/screens.ts'
import { QueuesIcon } from '#web/ui/icons.ts'

export { useQueueChoices } from './choices.ts'

/** Queues. */
export const queuesWeb: WebFeature = {
  screens: [
    {
      path: '/filas',
      title: 'Filas',
      icon: QueuesIcon,
      can: 'queues:write',
      menu: { group: 'Gestão Comercial' },
      load: async () => (await import('./Queues.tsx')).Queues,
    },
  ],
}
