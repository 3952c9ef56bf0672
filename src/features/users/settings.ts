import type { SettingPart } from '#kit/settings.ts'

/** Whether new users may come. */
export const settings = {
  userCreation: {
    kind: 'switch',
    default: 'enabled',
    group: 'Segurança',
    label: 'Permitir novos usuários',
    effect: 'Desligado, ninguém da empresa cadastra usuários.',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    users: typeof settings
  }
}
