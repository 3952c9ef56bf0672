import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `audit`: the audit log: reading, verification, retention. */
export const auditWeb: WebFeature = {
  screens: [
    {
      path: '/auditoria',
      title: t('Auditoria'),
      icon: 'AuditIcon',
      can: 'audit:read',
      menu: { place: 'settings', group: 'API e segurança' },
      load: async () => (await import('./Audit.tsx')).Audit,
    },
  ],
}
