import type { PlanFeaturePart } from '#kit/plan-features.ts'

/** Plan feature of samples, which is sold separately. */
export const plan = {
  samples: { name: 'Amostras', without: 'Ninguém cria nem usa amostras; as que existem ficam.' },
} as const satisfies PlanFeaturePart

declare module '#kit/plan-features.ts' {
  interface PlanFeatures {
    samples: typeof plan
  }
}
