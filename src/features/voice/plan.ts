import type { PlanFeaturePart } from '#kit/plan-features.ts'

/** Plan features of voice calls. */
export const plan = {
  voice: { name: 'Ligações', without: 'O telefone some das telas; o registro das ligações fica guardado.' },
} as const satisfies PlanFeaturePart

declare module '#kit/plan-features.ts' {
  interface PlanFeatures {
    voice: typeof plan
  }
}
