import type { SettingPart } from '#kit/settings.ts'

/** Company settings of samples. */
export const settings = {
  samplesOnCredit: {
    kind: 'switch',
    default: 'disabled',
    group: 'Atendimento',
    label: 'Amostras fiadas',
    effect: 'Uma amostra que acabou pode ser usada mesmo assim.',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    samples: typeof settings
  }
}
