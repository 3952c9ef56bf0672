import type { PlanFeaturePart } from '#kit/plan-features.ts'

/** What of reports is sold apart; the panel is not. */
export const plan = {
  reports: {
    name: 'Relatórios',
    without: 'Os relatórios somem do menu e não vão mais por e-mail; o painel e os números guardados ficam.',
  },
} as const satisfies PlanFeaturePart

declare module '#kit/plan-features.ts' {
  interface PlanFeatures {
    reports: typeof plan
  }
}
