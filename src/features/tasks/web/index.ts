import type { Resource } from '#kit/resource.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Tasks of the team. */
export const tasksWeb: WebFeature = {
  screens: [
    {
      path: '/tarefas',
      title: t('Tarefas'),
      icon: 'TaskIcon',
      can: 'tasks:write',
      menu: { place: 'agenda', order: 3 },
      load: async () => {
        const [{ taskScreen }, { tasks }] = await Promise.all([import('./task-screen.tsx'), import('../tasks.ts')])
        // Its rows have more than fields.
        return taskScreen(tasks as unknown as Resource)
      },
    },
  ],
}
