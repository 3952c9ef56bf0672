import type { SettingPart } from '#kit/settings.ts'

/** What makes rules cost nothing where there are none. */
export const settings = {
  ruleEvents: {
    kind: 'json',
    default: '[]',
    group: null,
    label: 'Acontecimentos das automações',
    effect: 'A que respondem as automações ligadas; o servidor a mantém sozinho.',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    rules: typeof settings
  }
}
