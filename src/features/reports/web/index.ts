import { lazyPart } from '#web/lazy-part.ts'
import type { Screen, WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** The numbers of a period, for the dashboard. */
export const Period = lazyPart(async () => (await import('./period/Period.tsx')).Period)

const report = (path: string, title: string, load: Screen['load'], redirects?: Screen['redirects']): Screen => ({
  path: `/relatorios/${path}`,
  title,
  can: 'reports:read',
  load,
  ...(redirects ? { redirects } : {}),
})
const ofContacts = () => import('./contact-reports.tsx')

/** What the numbers of the dashboard are made of, and the named reports. */
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
      load: async () => (await import('./Reports.tsx')).Reports,
    },
    report(
      'atendimentos-por-parametros',
      t('Atendimentos por parâmetros'),
      async () => (await import('./ticket-reports.tsx')).TicketsReport,
      { '/relatorios/atendimento-por-parametros': '/relatorios/atendimentos-por-parametros' },
    ),
    report(
      'estatisticas-atendimentos-usuarios',
      t('Resumo por Usuário'),
      async () => (await import('./UsersReport.tsx')).UsersReport,
    ),
    report('lista-contatos', t('Lista de contatos'), async () => (await ofContacts()).AllContacts),
    report('contatos-por-etiquetas', t('Contatos por Etiqueta'), async () => (await ofContacts()).ContactsByTag),
    report('contatos-por-estado', t('Contatos por Estado'), async () => (await ofContacts()).ContactsByState),
    report('contatos-por-kanban', t('Contatos por Kanban'), async () => (await ofContacts()).ContactsByKanban),
    report('contatos-por-carteira', t('Contatos por Carteira'), async () => (await ofContacts()).ContactsByWallet),
  ],
}
