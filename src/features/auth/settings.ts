import type { SettingPart } from '#kit/settings.ts'

/** Settings of parallel sessions per user. */
export const settings = {
  forceLogout: {
    kind: 'switch',
    default: 'disabled',
    group: 'Segurança',
    label: 'Forçar logout',
    effect: 'Entrar em outro dispositivo encerra a sessão que estava aberta.',
    alias: 'tenantsForceLogout',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    auth: typeof settings
  }
}
