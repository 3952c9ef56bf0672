import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Rules: what is done to tickets by itself. */
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
