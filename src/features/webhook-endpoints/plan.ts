import type { PlanFeaturePart } from '#kit/plan-features.ts'

/** What of webhooks is sold apart. */
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
