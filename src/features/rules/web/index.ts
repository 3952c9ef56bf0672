import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `rules`: automation rules on tickets. */
export const rulesWeb: WebFeature = {
  screens: [
    {
      path: '/automacoes',
      title: t('Automações'),
      icon: 'RuleIcon',
      can: 'rules:write',
      menu: { place: 'automation', order: 3 },
      load: async () => (await import('./Rules.tsx')).Rules,
    },
  ],
}
