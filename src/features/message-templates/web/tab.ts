import type { ProviderTab } from '#features/connections/web/index.ts'
import { t } from '#web/t.ts'

/** Where message templates are kept, beside the settings of their provider. */
export const templatesTab: ProviderTab = {
  key: 'templates',
  name: t('Templates'),
  can: 'templates:write',
  isOf: ({ capabilities }) => capabilities.templates,
  load: async () => (await import('./Templates.tsx')).Templates,
}
