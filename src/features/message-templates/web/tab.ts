import type { ProviderTab } from '#features/connections/web/index.ts'
import { t } from '#web/t.ts'

/** Tab of message templates in a provider's settings. */
export const templatesTab: ProviderTab = {
  key: 'templates',
  name: t('Templates'),
  can: 'templates:write',
  isOf: ({ capabilities }) => capabilities.templates,
  load: async () => (await import('./Templates.tsx')).Templates,
}
