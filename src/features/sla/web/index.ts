import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `sla`: SLA policies, and the clocks of tickets. */
export const slaWeb: WebFeature = {
  screens: [
    {
      path: '/configuracoes/sla',
      title: t('Prazos (SLA)'),
      icon: 'SlaIcon',
      can: 'sla:read',
      menu: { place: 'settings', group: 'Atendimento' },
      load: async () => (await import('./Policies.tsx')).Policies,
    },
  ],
}
