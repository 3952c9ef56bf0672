import type { TemplateScreens } from '#features/conversations/web/index.ts'

/** What message templates show within conversations. */
export const templateScreens: TemplateScreens = {
  loadSend: async () => (await import('./SendTemplate.tsx')).SendTemplate,
}
