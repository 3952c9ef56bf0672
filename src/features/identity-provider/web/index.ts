import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Logins by an external provider of identities. */
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
