import type { LoadProviderTab } from '#features/connections/web/index.ts'

/** Where the numbers at a provider are seen and kept, beside its settings. */
export const loadNumbersTab: LoadProviderTab = async () => (await import('./tab.ts')).numbersTab
