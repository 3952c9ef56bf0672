import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Who did what, when and from where. */
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
