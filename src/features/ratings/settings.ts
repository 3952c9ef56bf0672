import type { SettingPart } from '#kit/settings.ts'

/** Settings of rating questions and replies. */
export const settings = {
  rating: {
    kind: 'json',
    default: '[]',
    group: null,
    label: 'Notas da avaliação',
    effect: 'Os nomes das notas de 0 a 5 e a resposta de cada uma.',
  },
  ratingStoreUse: {
    kind: 'switch',
    default: 'disabled',
    group: null,
    label: 'Pedir avaliação ao resolver',
    effect: 'O cliente de um atendimento resolvido é convidado a dar uma nota de 0 a 5.',
    browser: true,
  },
  ratingStore: {
    kind: 'text',
    default: 'Obrigado pela sua avaliação!',
    max: 1000,
    lines: true,
    group: null,
    label: 'Agradecimento',
    effect: 'Enviado a quem avalia, quando a nota não tem resposta própria. Em branco, nada é enviado.',
  },
  ratingStoreError: {
    kind: 'text',
    default: 'Não entendi. Responda com um número de 0 a 5.',
    max: 1000,
    lines: true,
    group: null,
    label: 'Resposta inválida',
    effect: 'Enviada a quem tenta dar uma nota e não consegue. Em branco, nada é enviado.',
  },
  ratingStoreAttemp: {
    kind: 'text',
    default: 'Tudo bem, encerramos por aqui. Obrigado!',
    max: 1000,
    lines: true,
    group: null,
    label: 'Fim das tentativas',
    effect: 'Enviada depois da terceira resposta que não é uma nota. Em branco, nada é enviado.',
  },
  ratingStoreTime: {
    kind: 'number',
    default: '600000',
    min: 60_000,
    max: 604_800_000,
    unit: 'ms',
    group: null,
    label: 'Tempo para avaliar',
    effect: 'Depois dele a avaliação termina sem nota; o que o cliente escrever abre um atendimento.',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    ratings: typeof settings
  }
}
