import type { SettingPart } from '#kit/settings.ts'

/** What may be set of the private chat. */
export const settings = {
  privateMessageLimit: {
    kind: 'number',
    default: '30',
    min: 10,
    max: 200,
    unit: 'mensagens',
    group: 'Atendimento',
    label: 'Mensagens por página no chat privado',
    effect: 'Tantas mensagens vêm de cada vez ao abrir uma conversa entre colegas ou subir nela.',
    alias: 'tenantsPrivateMessageLimit',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    privateChat: typeof settings
  }
}
