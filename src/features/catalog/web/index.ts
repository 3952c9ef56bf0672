import type { Answer } from '#kit/contract.ts'
import { choiceList } from '#web/choices.ts'
import { screenOf } from '#web/resource/resource-screen-of.tsx'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { QuickReplyIcon, TagIcon } from '#web/ui/icons.ts'
import { tags } from '../addresses.ts'

type Tag = Answer<typeof tags.list>['items'][number]

declare module '#web/choices.ts' {
  interface Choices {
    tags: Tag & { name: string }
  }
}

const onlyTheirs = (row: object) =>
  'mayChange' in row && row.mayChange ? null : t('Só quem criou esta mensagem, ou um supervisor, pode alterá-la.')

/** The screens of the plain tables. */
export const catalogWeb: WebFeature = {
  choices: { tags: choiceList(tags.list, (page) => page.items.map((row) => ({ ...row, name: row.tag }))) },
  screens: [
    screenOf(async () => (await import('../tags.ts')).tags, {
      path: '/etiquetas',
      title: t('Etiquetas'),
      icon: TagIcon,
      can: 'tags:write',
      menu: { group: 'Gestão Comercial' },
    }),
    screenOf(
      async () => (await import('../fast-replies.ts')).fastReplies,
      {
        path: '/mensagens-rapidas',
        title: t('Mensagens Rápidas'),
        icon: QuickReplyIcon,
        can: 'fast-replies:write',
        menu: { group: 'Comunicação e MKT' },
      },
      onlyTheirs,
    ),
  ],
}
