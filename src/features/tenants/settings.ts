import type { SettingPart } from '#kit/settings.ts'

/** How the company's interface looks. */
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
  systemColors: {
    kind: 'json',
    default: '[]',
    group: null,
    label: 'Cores da empresa',
    effect: 'Cores da interface e do webchat.',
    browser: true,
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    tenants: typeof settings
  }
}
