import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `dashboard`: the dashboard's live figures. */
export const dashboardWeb: WebFeature = {
  screens: [
    {
      path: '/home',
      title: t('Painel'),
      icon: 'DashboardIcon',
      can: 'dashboard:read',
      // The superadmin's home is the list of companies (specification §6).
      profiles: ['user', 'super', 'admin'],
      menu: { place: 'home', order: 1 },
      shortcut: 'g i',
      load: async () => (await import('./Dashboard.tsx')).Dashboard,
    },
    {
      path: '/painel-atendimentos',
      title: t('Painel Atendimentos'),
      icon: 'ColumnsIcon',
      can: 'panel:read',
      menu: { place: 'home', order: 2 },
      load: async () => (await import('./AttendancePanel.tsx')).AttendancePanel,
    },
  ],
}
