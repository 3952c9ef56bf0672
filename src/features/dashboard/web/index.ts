import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { DashboardIcon } from '#web/ui/icons.ts'

/** The panel. */
export const dashboardWeb: WebFeature = {
  screens: [
    {
      path: '/home',
      title: t('Painel'),
      icon: DashboardIcon,
      can: 'dashboard:read',
      // The superadmin's home is the list of companies (specification §6).
      profiles: ['user', 'super', 'admin'],
      menu: { group: '', phone: 3 },
      shortcut: 'g p',
      load: async () => (await import('./Dashboard.tsx')).Dashboard,
    },
  ],
}
