import { choiceList } from '#web/choices.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { PlansIcon } from '#web/ui/icons.ts'
import type { Plan, plans } from '../contract.ts'

// Its address alone: the others come with the screen of plans.
const list = { method: 'GET', path: '/planAll', family: 'plans', name: 'plans.list' } as unknown as typeof plans.list

declare module '#web/choices.ts' {
  interface Choices {
    plans: Plan
  }
}

/** What the installation offers. */
export const signupWeb: WebFeature = {
  choices: { plans: choiceList(list, (page) => page.plan) },
  screens: [
    {
      path: '/planos',
      title: t('Planos'),
      icon: PlansIcon,
      can: 'platform:write',
      menu: { group: 'Empresas e Licença' },
      load: async () => (await import('./Plans.tsx')).Plans,
    },
  ],
}
