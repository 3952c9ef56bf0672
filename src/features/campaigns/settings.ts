import type { SettingPart } from '#kit/settings.ts'

/** What makes answers cost nothing where no campaign was ever sent. */
export const settings = {
  campaignAnswers: {
    kind: 'switch',
    default: 'disabled',
    group: null,
    label: 'Respostas de campanhas',
    effect: 'Se há campanhas cujas respostas são contadas; o servidor a mantém sozinho.',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    campaigns: typeof settings
  }
}
