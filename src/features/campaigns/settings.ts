import { priceProblem } from '#domain/campaigns/cost.ts'
import type { SettingPart } from '#kit/settings.ts'

const price = {
  kind: 'text',
  max: 9,
  default: '',
  group: 'Campanhas e disparos',
  browser: true,
  problem: priceProblem,
} as const

/** Settings of campaigns; the server keeps `campaignAnswers`, so that answers cost nothing where no campaign was ever sent. */
export const settings = {
  campaignAnswers: {
    kind: 'switch',
    default: 'disabled',
    group: null,
    label: 'Respostas de campanhas',
    effect: 'Se há campanhas cujas respostas são contadas; o servidor a mantém sozinho.',
  },
  priceMarketing: {
    ...price,
    label: 'Preço de um modelo de marketing',
    effect: 'Em reais, como 0,35: o custo de um envio aparece antes de começar. Vazio: não aparece.',
  },
  priceUtility: {
    ...price,
    label: 'Preço de um modelo de utilidade',
    effect: 'Em reais; vale também para os de autenticação. Vazio: o custo não aparece.',
  },
  priceSms: {
    ...price,
    label: 'Preço de um SMS',
    effect: 'Em reais, por parte de cada SMS. Vazio: o custo não aparece.',
  },
} as const satisfies SettingPart

declare module '#kit/settings.ts' {
  interface Settings {
    campaigns: typeof settings
  }
}
