import type { ProviderTab } from '#features/connections/web/index.ts'
import type { TemplateScreens } from '#features/conversations/web/index.ts'
import { t } from '#web/t.ts'

/** What message templates show within conversations. */
export const templateScreens: TemplateScreens = {
  loadSend: async () => (await import('./SendTemplate.tsx')).SendTemplate,
}

/** Where message templates are kept, beside the settings of their provider. */
export const templatesTab: ProviderTab = {
  key: 'templates',
  name: t('Templates'),
  can: 'templates:write',
  isOf: ({ capabilities }) => capabilities.templates,
  load: async () => (await import('./Templates.tsx')).Templates,
}
