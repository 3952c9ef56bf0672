import type { LoadProviderTab } from '#features/connections/web/index.ts'

/** Loads the numbers tab of a provider's settings. */
export const loadNumbersTab: LoadProviderTab = async () => (await import('./tab.ts')).numbersTab
