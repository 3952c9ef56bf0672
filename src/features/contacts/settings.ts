import type { SettingPart } from '#kit/settings.ts'

/** Settings of contacts: number checks, and the source of names. */
export const settings = {
  validateContact: {
    kind: 'switch',
    default: 'disabled',
    group: 'Atendimento',
    label: 'Validar o número ao cadastrar',
    effect:
      'Um número novo só é salvo se um canal conectado o alcança; se nenhum canal souber dizer, é salvo mesmo assim.',
    alias: 'tenantsValidateContact',
  },
  updateNames: {
    kind: 'switch',
    default: 'disabled',
    group: 'Chegada de mensagens',
    label: 'Não atualizar nomes',
    effect: 'Quem muda o próprio nome no canal continua aqui com o nome que tinha.',
    alias: 'tenantsUpdateNames',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    contacts: typeof settings
  }
}
