import { ownOptOuts } from '#domain/consents/consents.ts'
import type { SettingPart } from '#kit/settings.ts'

const MOST = 20

/** Settings of opt-outs. */
export const settings = {
  optOutWords: {
    kind: 'text',
    default: '',
    max: 500,
    group: 'Chegada de mensagens',
    label: 'Outras palavras de descadastro',
    effect:
      'Além de SAIR, PARAR e STOP: quem responde só com uma delas não recebe mais campanhas nem ofertas. Separe por vírgula.',
    problem: (text) => (ownOptOuts(text).length > MOST ? `No máximo ${MOST} palavras.` : null),
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    consents: typeof settings
  }
}
