import type { WebFeature } from '#web/screens.ts'
import { DashboardIcon } from '#web/ui/icons.ts'

/** The panel. */
export const dashboardWeb: WebFeature = {
  screens: [
    {
      path: '/home',
      title: 'Painel',
      icon: DashboardIcon,
      can: 'dashboard:read',
      menu: { group: '', phone: 3 },
      shortcut: 'g p',
      load: async () => (await import('./Dashboard.tsx')).Dashboard,
    },
  ],
}
