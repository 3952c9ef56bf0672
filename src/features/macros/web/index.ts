import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `macros`: macros: named lists of actions on a ticket. */
export const macrosWeb: WebFeature = {
  screens: [
    {
      path: '/macros',
      title: t('Macros'),
      icon: 'MacroIcon',
      can: 'macros:write',
      menu: { place: 'automation', order: 4 },
      load: async () => (await import('./Macros.tsx')).Macros,
    },
  ],
}
