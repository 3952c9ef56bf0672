import type { Answer } from '#kit/contract.ts'
import type { Resource } from '#kit/resource.ts'
import { choiceList } from '#web/choices.ts'
import { screenOf } from '#web/resource/resource-screen-of.tsx'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
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

/** Web part of the feature `catalog`: the simple tables: tags, quick replies, reasons, farewells. */
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
      icon: 'TagIcon',
      can: 'tags:write',
      menu: { place: 'settings', group: 'CRM' },
      load: async () => {
        const [{ tagScreen }, table] = await Promise.all([import('./tag-screen.tsx'), import('../tags.ts')])
        return tagScreen(table.tags)
      },
    },
    {
      path: '/mensagens-rapidas',
      title: t('Mensagens rápidas'),
      icon: 'QuickReplyIcon',
      can: 'fast-replies:write',
      menu: { place: 'settings', group: 'Atendimento' },
      load: async () => {
        const [{ fastReplyScreen }, table] = await Promise.all([
          import('./fast-reply-screen.tsx'),
          import('../fast-replies.ts'),
        ])
        // Its rows have more than fields.
        return fastReplyScreen(table.fastReplies as unknown as Resource)
      },
    },
    screenOf(async () => (await import('../reasons.ts')).reasons, {
      path: '/configuracoes/motivos',
      title: t('Motivos'),
      icon: 'ReasonIcon',
      can: 'reasons:write',
      menu: { place: 'settings', group: 'Atendimento' },
    }),
    {
      path: '/fechamento',
      title: t('Despedidas'),
      icon: 'FarewellIcon',
      can: 'farewells:write',
      menu: { place: 'settings', group: 'Atendimento' },
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
