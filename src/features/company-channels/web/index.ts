import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `company-channels`: the channels of all companies. */
export const companyChannelsWeb: WebFeature = {
  screens: [
    {
      path: '/sessoestenants',
      title: t('Canais das empresas'),
      icon: 'SignalIcon',
      can: 'platform:write',
      menu: { place: 'installation', group: 'Empresas', order: 3 },
      load: async () => (await import('./CompanyChannels.tsx')).CompanyChannels,
    },
  ],
}
