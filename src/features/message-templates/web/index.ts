import type { LoadProviderTab } from '#features/connections/web/index.ts'
import type { TemplateScreens } from '#features/messages/web/registries/template-screens.ts'

/** What message templates show within conversations. */
export const templateScreens: TemplateScreens = {
  loadSend: async () => (await import('./SendTemplate.tsx')).SendTemplate,
}

/** Where message templates are kept, beside the settings of their provider. */
export const loadTemplatesTab: LoadProviderTab = async () => (await import('./tab.ts')).templatesTab

/** Chooses an approved template of a connection and what its variables stand for, in forms of other features. */
export const loadTemplateChoice = async () => (await import('./TemplateChoice.tsx')).TemplateChoice
