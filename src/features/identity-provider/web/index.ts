import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `identity-provider`: login by an external identity provider (OpenID Connect). */
export const identityProviderWeb: WebFeature = {
  screens: [
    {
      path: '/configuracoesTenant/login',
      title: t('Login externo'),
      icon: 'EnterWithIcon',
      can: 'platform:write',
      menu: { place: 'installation', group: 'Sistema' },
      load: async () => (await import('./ExternalLogin.tsx')).ExternalLogin,
    },
  ],
}
