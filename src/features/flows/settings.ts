import type { SettingPart } from '#kit/settings.ts'

/** Which chat flow attends where the connection names none. */
export const settings = {
  botTicketActive: {
    kind: 'text',
    default: '',
    max: 20,
    group: null,
    label: 'Fluxo padrão',
    effect: 'O fluxo que atende as conversas novas dos canais que não têm um próprio. Vazio: nenhum.',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    flows: typeof settings
  }
}
