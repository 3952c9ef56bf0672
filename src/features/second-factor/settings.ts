import type { SettingPart } from '#kit/settings.ts'

/** Settings of who needs a second factor. */
export const settings = {
  requireSecondFactor: {
    kind: 'switch',
    default: 'disabled',
    group: 'Segurança',
    label: 'Exigir segundo fator',
    effect: 'Quem entra com senha confirma com um código do celular; quem ainda não tem configura na próxima entrada.',
    alias: 'tenantsA2F',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    secondFactor: typeof settings
  }
}
