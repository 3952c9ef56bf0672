import type { SettingPart } from '#kit/settings.ts'

/** Settings of business hours and absence messages. */
export const settings = {
  maxRetries: {
    kind: 'number',
    default: '1',
    min: 1,
    max: 10,
    unit: 'por atendimento',
    group: 'Fora do horário',
    label: 'Mensagens de ausência',
    effect: 'Quantas vezes, no máximo, o mesmo atendimento recebe a mensagem de ausência.',
    alias: 'tenantsMaxRetries',
  },
  useUserBusinessHours: {
    kind: 'switch',
    default: 'disabled',
    group: 'Fora do horário',
    label: 'Respeitar o horário de cada usuário',
    effect: 'Fora do horário do próprio cadastro ninguém entra, e quem está dentro sai.',
    browser: true,
    alias: 'tenantsUseUserBusinessHours',
  },
  businessHours: {
    kind: 'json',
    default: '[]',
    group: null,
    label: 'Horário de atendimento',
    effect: 'Fora dele, quem escreve recebe a mensagem de ausência.',
  },
  messageBusinessHours: {
    kind: 'text',
    default: '',
    max: 1000,
    lines: true,
    group: null,
    label: 'Mensagem de ausência',
    effect: 'Enviada a quem escreve fora do horário. Em branco, nada é enviado.',
  },
  holidays: {
    kind: 'json',
    default: '[]',
    group: null,
    label: 'Feriados',
    effect: 'Dias em que ninguém atende.',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    hours: typeof settings
  }
}
