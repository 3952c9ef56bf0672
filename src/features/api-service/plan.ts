import type { PlanFeaturePart } from '#kit/plan-features.ts'

/** Plan features of the API. */
export const plan = {
  api: {
    name: 'API para outros programas',
    without: 'As chaves deixam de valer; elas ficam guardadas.',
  },
} as const satisfies PlanFeaturePart

declare module '#kit/plan-features.ts' {
  interface PlanFeatures {
    apiService: typeof plan
  }
}
