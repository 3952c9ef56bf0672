import type { SettingPart } from '#kit/settings.ts'

/** Settings of the private chat. */
export const settings = {
  webPushChatInterno: {
    kind: 'switch',
    default: 'enabled',
    group: 'Atendimento',
    label: 'Avisos do chat privado nos dispositivos',
    effect: 'Quem recebe avisos em um dispositivo é avisado também do que colegas escrevem, com o produto fechado.',
    alias: 'tenantsWebPushChatInterno',
  },
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
