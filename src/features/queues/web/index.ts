import { choiceList } from '#web/choices.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { queues } from '../addresses.ts'
import type { QueueRow } from '../contract.ts'

declare module '#web/choices.ts' {
  interface Choices {
    queues: QueueRow & { name: string }
  }
}

/** Web part of the feature `queues`: queues. */
export const queuesWeb: WebFeature = {
  choices: {
    queues: choiceList(queues.list, (page) => page.items.map((row) => ({ ...row, name: row.queue }))),
  },
  screens: [
    {
      path: '/filas',
      title: t('Filas'),
      icon: 'QueuesIcon',
      can: 'queues:write',
      menu: { place: 'settings', group: 'Equipe e acesso' },
      load: async () => (await import('./Queues.tsx')).Queues,
    },
  ],
}
