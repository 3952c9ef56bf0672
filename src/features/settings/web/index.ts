import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

export { startSettingsLive } from './live.ts'
export { registerMaintenance } from './maintenance.ts'

/** Web part of the feature `settings`: settings of the company: key-value rows, colours and legacy flags. */
export const settingsWeb: WebFeature = {
  screens: [
    {
      path: '/configuracoes/geral',
      redirects: { '/configuracoes': '/configuracoes/geral' },
      title: t('Configurações gerais'),
      icon: 'SettingsIcon',
      can: 'settings:write',
      menu: { place: 'settings', group: 'Geral', order: 1 },
      finds: async () => (await import('./findable.ts')).findable(),
      load: async () => (await import('./Settings.tsx')).Settings,
    },
  ],
}
