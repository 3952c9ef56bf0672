import type { Answer } from '#kit/contract.ts'
import { choiceList } from '#web/choices.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { variables } from '../addresses.ts'

declare module '#web/choices.ts' {
  interface Choices {
    variables: Answer<typeof variables.list>['variables'][number]
  }
}

/** Web part of the feature `variables`: variables of texts. */
export const variablesWeb: WebFeature = {
  choices: { variables: choiceList(variables.list, (page) => page.variables) },
  screens: [
    {
      path: '/configuracoes/variaveis',
      title: t('Variáveis'),
      icon: 'VariableIcon',
      can: 'variables:write',
      menu: { place: 'settings', group: 'Geral' },
      load: async () =>
        (await import('./variable-screen.tsx')).variableScreen((await import('../constants.ts')).constants),
    },
  ],
}
