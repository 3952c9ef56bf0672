import type { LoadProviderTab } from '#features/connections/web/index.ts'

/** Loads the signup tab of a provider's settings, to which the provider redirects back. */
export const loadSignupTab: LoadProviderTab = async () => (await import('./tab.ts')).signupTab
