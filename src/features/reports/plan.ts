import type { PlanFeaturePart } from '#kit/plan-features.ts'

/** Plan feature of reports, sold separately; the dashboard is not part of it. */
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
