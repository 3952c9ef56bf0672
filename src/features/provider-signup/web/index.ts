import type { LoadProviderTab } from '#features/connections/web/index.ts'

/** Where accounts are connected by a login at their provider, beside its settings; the provider leads back to it. */
export const loadSignupTab: LoadProviderTab = async () => (await import('./tab.ts')).signupTab
