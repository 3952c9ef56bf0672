import { choiceList } from '#web/choices.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { plans } from '../addresses.ts'
import type { Plan } from '../contract.ts'

declare module '#web/choices.ts' {
  interface Choices {
    plans: Plan
  }
}

/** Web part of the feature `signup`: plans and signup. */
export const signupWeb: WebFeature = {
  choices: { plans: choiceList(plans.list, (page) => page.plan) },
  screens: [
    {
      path: '/planos',
      title: t('Planos'),
      icon: 'PlansIcon',
      can: 'platform:write',
      menu: { place: 'installation', group: 'Empresas', order: 3 },
      load: async () => (await import('./Plans.tsx')).Plans,
    },
  ],
}
