import type { SettingPart } from '#kit/settings.ts'

/** Settings of the menus that the company's users see. */
export const settings = {
  menuVisibility: {
    kind: 'json',
    default: '{}',
    group: null,
    label: 'Itens de menu escondidos',
    effect: 'Esconde telas de todos na empresa, menos do superadministrador.',
    can: 'platform:write',
    browser: true,
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    tenants: typeof settings
  }
}
