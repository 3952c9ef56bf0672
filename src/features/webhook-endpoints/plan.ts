import type { PlanFeaturePart } from '#kit/plan-features.ts'

/** Plan features of webhooks. */
export const plan = {
  webhooks: {
    name: 'Webhooks',
    without: 'Nenhum outro sistema é mais avisado; os endereços e o que já foi enviado ficam guardados.',
  },
} as const satisfies PlanFeaturePart

declare module '#kit/plan-features.ts' {
  interface PlanFeatures {
    webhookEndpoints: typeof plan
  }
}
