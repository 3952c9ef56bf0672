import type { LoadProviderTab } from '#features/connections/web/index.ts'
import type { TemplateScreens } from '#features/messages/web/registries/template-screens.ts'

/** Components of message templates within conversations. */
export const templateScreens: TemplateScreens = {
  loadSend: async () => (await import('./SendTemplate.tsx')).SendTemplate,
}

/** Loads the templates tab of a provider's settings. */
export const loadTemplatesTab: LoadProviderTab = async () => (await import('./tab.ts')).templatesTab

/** Loads the component that chooses an approved template and its variable values, for forms of other features. */
export const loadTemplateChoice = async () => (await import('./TemplateChoice.tsx')).TemplateChoice
