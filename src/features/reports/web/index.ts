import { lazyPart } from '#web/lazy-part.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Statistics of a period, for the dashboard. */
export const Period = lazyPart(async () => (await import('./period/Period.tsx')).Period)

/** Web feature of reports: rows behind dashboard numbers, and named reports. */
export const reportsWeb: WebFeature = {
  screens: [
    {
      path: '/home/atendimentos',
      title: t('Atendimentos do número'),
      can: 'dashboard:read',
      load: async () => (await import('./ticket-reports.tsx')).NumberTickets,
    },
    {
      path: '/relatorios',
      title: t('Relatórios'),
      icon: 'ReportsIcon',
      can: 'reports:read',
      menu: { place: 'reports', order: 0 },
      children: ['$report'],
      redirects: { '/relatorios/atendimento-por-parametros': '/relatorios/atendimentos-por-parametros' },
      load: async () => (await import('./Reports.tsx')).Reports,
    },
  ],
}
