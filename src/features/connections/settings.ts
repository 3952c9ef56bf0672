import type { SettingPart } from '#kit/settings.ts'

/** Settings of how connections are shown. */
export const settings = {
  fixConnections: {
    kind: 'switch',
    default: 'disabled',
    group: 'Atendimento',
    label: 'Barra de canais no topo',
    effect: 'Todos veem, acima de cada tela, como está cada canal.',
    browser: true,
    alias: 'tenantsFixConnections',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    connections: typeof settings
  }
}
