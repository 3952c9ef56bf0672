import type { SettingPart } from '#kit/settings.ts'

/** Setting that skips rule evaluation in companies without rules. */
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
