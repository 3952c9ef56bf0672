import type { SettingPart } from '#kit/settings.ts'

/** Settings of the interface's appearance. */
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
