import type { MassKind } from '#domain/campaigns/mass.ts'
import { choiceList } from '#web/choices.ts'
import type { Screen, WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { campaigns } from '../addresses.ts'

declare module '#web/choices.ts' {
  interface Choices {
    campaigns: { readonly id: number; readonly name: string }
  }
}

const massOf = (kind: MassKind, way: string, title: string, icon: Screen['icon'] & string, order: number): Screen => ({
  ...{ path: `/massa/${way}`, title, icon, can: 'campaigns:write', menu: { place: 'campaigns', order } },
  ...(kind === 'template' ? { redirects: { '/massa': `/massa/${way}` } } : {}),
  load: async () => (await import('./mass-screen.tsx')).massScreen(kind),
})

/** Web feature of campaigns and messages to lists. */
export const campaignsWeb: WebFeature = {
  choices: { campaigns: choiceList(campaigns.list, (page) => page.campaigns) },
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
    massOf('text', 'texto', t('Disparo em massa'), 'MassTextIcon', 2),
    massOf('text_variable', 'textovariavel', t('Disparo com variáveis'), 'MassVariableIcon', 3),
    massOf('template', 'template', t('Disparo de modelos'), 'MassTemplateIcon', 4),
    massOf('template_variable', 'template-variavel', t('Modelos com variáveis'), 'MassTemplateVariableIcon', 5),
    massOf('sms', 'sms', t('Disparo de SMS'), 'SmsIcon', 6),
  ],
}
