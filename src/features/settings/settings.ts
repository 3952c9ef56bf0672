import type { SettingPart } from '#kit/settings.ts'

/** How the company's interface looks. */
export const settings = {
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
    settings: typeof settings
  }
}
