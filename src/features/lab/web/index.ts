import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web feature of the lab. */
export const labWeb: WebFeature = {
  screens: [
    {
      path: '/laboratorio',
      title: t('Laboratório de canais'),
      icon: 'LabIcon',
      can: 'lab:use',
      menu: { place: 'lab' },
      needsWidth: true,
      load: async () => (await import('./Lab.tsx')).Lab,
    },
  ],
}
