import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { DownloadIcon } from '#web/ui/icons.ts'

const menu = { place: 'installation', group: t('Sistema') } as const

/** Web part of the feature `operation`: monitoring of the installation, for the superadmin. */
export const operationWeb: WebFeature = {
  screens: [
    {
      path: '/monitor',
      title: t('Monitor'),
      icon: 'MonitorIcon',
      can: 'platform:write',
      menu,
      load: async () => (await import('./Monitor.tsx')).Monitor,
    },
    {
      path: '/tenantsQueue',
      title: t('Filas de Tarefas'),
      icon: 'ColumnsIcon',
      can: 'platform:write',
      menu,
      load: async () => (await import('./JobQueues.tsx')).JobQueues,
    },
    {
      path: '/atualizar',
      title: t('Versão e atualização'),
      icon: DownloadIcon,
      can: 'platform:write',
      menu,
      load: async () => (await import('./Update.tsx')).Update,
    },
    {
      path: '/tenantsPk',
      title: t('Ambiente e pacotes'),
      icon: 'ServerIcon',
      can: 'platform:write',
      menu,
      load: async () => (await import('./Environment.tsx')).Environment,
    },
  ],
}
