import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `mail`: outgoing mail: servers, test, sending. */
export const mailWeb: WebFeature = {
  screens: [
    {
      path: '/configuracoes/smtp',
      title: t('E-mail da empresa'),
      icon: 'EmailIcon',
      can: 'settings:write',
      menu: { place: 'settings', group: 'Geral' },
      finds: async () => (await import('./findable.ts')).findable(),
      load: async () => (await import('./mail-screens.tsx')).CompanyMail,
    },
    {
      path: '/configuracoesTenant/smtp-tenant',
      redirects: { '/configuracoesTenant': '/configuracoesTenant/smtp-tenant' },
      title: t('E-mail da instalação'),
      icon: 'InstallationMailIcon',
      can: 'platform:write',
      menu: { place: 'installation', group: 'Sistema' },
      finds: async () => (await import('./findable.ts')).findable(),
      load: async () => (await import('./mail-screens.tsx')).InstallationMail,
    },
  ],
}
