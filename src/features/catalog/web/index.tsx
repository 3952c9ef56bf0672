import type { WebFeature } from '#web/screens.ts'
import { QueuesIcon, QuickReplyIcon, TagIcon } from '#web/ui/icons.ts'

const resourceScreen = async () => (await import('#web/resource/resource-screen.tsx')).ResourceScreen

/** The screens of the plain tables. */
export const catalogWeb: WebFeature = {
  screens: [
    {
      path: '/filas',
      title: 'Filas',
      icon: QueuesIcon,
      can: 'queues:write',
      menu: { group: 'Gestão Comercial' },
      load: async () => {
        const [Screen, { queues }] = await Promise.all([resourceScreen(), import('../queues.ts')])
        return () => <Screen resource={queues} />
      },
    },
    {
      path: '/etiquetas',
      title: 'Etiquetas',
      icon: TagIcon,
      can: 'tags:write',
      menu: { group: 'Gestão Comercial' },
      load: async () => {
        const [Screen, { tags }] = await Promise.all([resourceScreen(), import('../tags.ts')])
        return () => <Screen resource={tags} />
      },
    },
    {
      path: '/mensagens-rapidas',
      title: 'Mensagens Rápidas',
      icon: QuickReplyIcon,
      can: 'tickets:write',
      menu: { group: 'Comunicação e MKT' },
      load: async () => {
        const [Screen, { fastReplies }] = await Promise.all([resourceScreen(), import('../fast-replies.ts')])
        const locked = (row: object) =>
          'mayChange' in row && row.mayChange ? null : 'Só quem criou esta mensagem, ou um supervisor, pode alterá-la.'
        return () => <Screen resource={fastReplies} locked={locked} />
      },
    },
  ],
}
