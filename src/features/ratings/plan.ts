import type { PlanFeaturePart } from '#kit/plan-features.ts'

/** Plan features of ratings. */
export const plan = {
  ratings: {
    name: 'Avaliações',
    without: 'Os clientes não são mais perguntados; as notas que existem ficam guardadas.',
  },
} as const satisfies PlanFeaturePart

declare module '#kit/plan-features.ts' {
  interface PlanFeatures {
    ratings: typeof plan
  }
}
