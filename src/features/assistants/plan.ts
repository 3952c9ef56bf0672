import type { PlanFeaturePart } from '#kit/plan-features.ts'

/** Plan features of assistants. */
export const plan = {
  assistants: {
    name: 'Assistentes de IA',
    without:
      'Nenhum assistente responde mais e o copiloto some; contas, custos e transcrições que existem ficam guardados.',
  },
} as const satisfies PlanFeaturePart

declare module '#kit/plan-features.ts' {
  interface PlanFeatures {
    assistants: typeof plan
  }
}
