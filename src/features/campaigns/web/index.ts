import type { Screen, WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import type { MassKind } from '../mass.ts'

const massOf = (
  kind: MassKind,
  path: string,
  [title, label]: readonly [string, string],
  icon: Screen['icon'] & string,
  order: number,
): Screen => ({
  ...{ path, title, icon, can: 'campaigns:write', menu: { place: 'campaigns', order, label } },
  ...(kind === 'template' ? { redirects: { '/massa': path } } : {}),
  load: async () => (await import('./MassScreen.tsx')).massScreen(kind),
})

/** Campaigns, and messages to lists: what is said to many contacts. */
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
    massOf('text', '/massa/texto', [t('Disparo em massa'), t('Em massa')], 'MassTextIcon', 2),
    massOf(
      'text_variable',
      '/massa/textovariavel',
      [t('Disparo em massa com variáveis'), t('Com variáveis')],
      'MassVariableIcon',
      3,
    ),
    massOf('template', '/massa/template', [t('Disparo de modelos'), t('Modelos')], 'MassTemplateIcon', 4),
    massOf(
      'template_variable',
      '/massa/template-variavel',
      [t('Disparo de modelos com variáveis'), t('Modelos com variáveis')],
      'MassTemplateVariableIcon',
      5,
    ),
    massOf('sms', '/massa/sms', [t('Disparo de SMS'), t('SMS')], 'SmsIcon', 6),
  ],
}
