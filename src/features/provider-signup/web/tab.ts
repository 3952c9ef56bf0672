import type { ProviderTab } from '#features/connections/web/index.ts'
import { t } from '#web/t.ts'

/** Where accounts are connected by a login at their provider, beside its settings; the provider leads back to it. */
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
