import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Campaigns: what is said to many contacts by a plan. */
export const campaignsWeb: WebFeature = {
  screens: [
    {
      path: '/campanhas',
      title: t('Campanhas'),
      icon: 'CampaignIcon',
      can: 'campaigns:write',
      menu: { place: 'campaigns', order: 1 },
      load: async () => (await import('./Campaigns.tsx')).Campaigns,
    },
    {
      path: '/campanhas/$campanhaId',
      title: t('Contatos da campanha'),
      can: 'campaigns:write',
      load: async () => (await import('./CampaignPage.tsx')).CampaignPage,
    },
  ],
}
