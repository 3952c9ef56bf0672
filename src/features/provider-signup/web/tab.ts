import type { ProviderTab } from '#features/connections/web/index.ts'
import { t } from '#web/t.ts'

/** Tab of account logins in a provider's settings, to which the provider redirects back. */
export const signupTab: ProviderTab = {
  key: 'login',
  name: t('Login'),
  can: 'connections:write',
  isOf: ({ settings }) => settings.signup !== undefined,
  nameOf: ({ settings }) => {
    const names = Object.values(settings.signup?.logins ?? {})
    return names.length === 1 ? names[0] : undefined
  },
  isBackWith: 'state',
  load: async () => (await import('./Signup.tsx')).Signup,
}
