import type { WebFeature } from '#web/shell/screens.ts'
import { EnterWithIcon } from '#web/ui/icons.ts'

/** Logins by an external provider of identities. */
export const identityProviderWeb: WebFeature = {
  screens: [
    {
      path: '/configuracoesTenant/login',
      title: 'Login externo',
      icon: EnterWithIcon,
      can: 'platform:write',
      menu: { group: 'Configurações' },
      load: async () => (await import('./ExternalLogin.tsx')).ExternalLogin,
    },
  ],
}
