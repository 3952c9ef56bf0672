import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { SettingsIcon } from '#web/ui/icons.ts'

export { startSettingsLive } from './live.ts'
export { registerMaintenance } from './maintenance.ts'

/** The settings of the company. */
export const settingsWeb: WebFeature = {
  screens: [
    {
      path: '/configuracoes/geral',
      redirects: { '/configuracoes': '/configuracoes/geral' },
      title: t('Configurações'),
      icon: SettingsIcon,
      can: 'settings:write',
      menu: { group: 'Configuração e API' },
      load: async () => (await import('./Settings.tsx')).Settings,
    },
  ],
}
