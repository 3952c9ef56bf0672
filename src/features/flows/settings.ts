import type { SettingPart } from '#kit/settings.ts'

/** Settings of chat flows: default flow of connections without one. */
export const settings = {
  botTicketActive: {
    kind: 'text',
    default: '',
    max: 20,
    group: null,
    label: 'Chatbot padrão',
    effect: 'O chatbot que atende as conversas novas dos canais sem chatbot próprio. Em branco, nenhum.',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    flows: typeof settings
  }
}
