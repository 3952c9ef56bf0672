import type { Answer } from '#kit/contract.ts'
import { choiceList } from '#web/choices.ts'
import { screenOf } from '#web/resource/resource-screen-of.tsx'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { CheckIcon, QuickReplyIcon, TagIcon } from '#web/ui/icons.ts'
import { farewells, reasons, tags } from '../addresses.ts'

type Tag = Answer<typeof tags.list>['items'][number]
type Reason = Answer<typeof reasons.list>['items'][number]
type Farewell = Answer<typeof farewells.list>['items'][number]

declare module '#web/choices.ts' {
  interface Choices {
    tags: Tag & { name: string }
    reasons: Reason
    farewells: Farewell
  }
}

/** The screens of the plain tables. */
export const catalogWeb: WebFeature = {
  choices: {
    tags: choiceList(tags.list, (page) => page.items.map((row) => ({ ...row, name: row.tag }))),
    reasons: choiceList(reasons.list, (page) => page.items),
    farewells: choiceList(farewells.list, (page) => page.items),
  },
  screens: [
    {
      path: '/etiquetas',
      title: t('Etiquetas'),
      icon: TagIcon,
      can: 'tags:write',
      menu: { group: 'Gestão Comercial' },
      load: async () => (await import('./Tags.tsx')).Tags,
    },
    {
      path: '/mensagens-rapidas',
      title: t('Mensagens Rápidas'),
      icon: QuickReplyIcon,
      can: 'fast-replies:write',
      menu: { group: 'Comunicação e MKT' },
      load: async () => (await import('./FastReplies.tsx')).FastReplies,
    },
    screenOf(async () => (await import('../reasons.ts')).reasons, {
      path: '/configuracoes/motivos',
      title: t('Demandas'),
      icon: CheckIcon,
      can: 'reasons:write',
      menu: { group: 'Gestão Comercial' },
    }),
    {
      path: '/fechamento',
      title: t('Fechamento'),
      icon: QuickReplyIcon,
      can: 'farewells:write',
      menu: { group: 'Gestão Comercial' },
      load: async () => {
        const [{ farewellScreen }, table] = await Promise.all([
          import('./farewell-screen.tsx'),
          import('../farewells.ts'),
        ])
        return farewellScreen(table.farewells)
      },
    },
  ],
}
