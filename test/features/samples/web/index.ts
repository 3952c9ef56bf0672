import { screenOf } from '#web/resource/resource-screen-of.tsx'
import type { WebFeature } from '#web/shell/screens.ts'

/** Screen of samples, in a separate group of the settings. */
export const samplesWeb: WebFeature = {
  screens: [
    screenOf(async () => (await import('../samples.ts')).samples, {
      path: '/amostras',
      title: 'Amostras',
      icon: 'TagIcon',
      can: 'samples:write',
      menu: { place: 'settings', group: 'Provas', after: 'CRM' },
    }),
  ],
}
