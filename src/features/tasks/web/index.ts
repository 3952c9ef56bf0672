import { type ComponentProps, createElement } from 'react'
import type { Resource } from '#kit/resource.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { deferred } from '#web/start/deferred.ts'
import { t } from '#web/t.ts'

// Today's tasks are counted on every screen.
deferred(async () => (await import('./live.ts')).startTasks)

/** Loads the form of a task, for screens of related records. */
export const loadTaskForm = async () => {
  const [{ TaskDrawer }, { tasks }] = await Promise.all([import('./TaskDrawer.tsx'), import('../tasks.ts')])
  const resource = tasks as unknown as Resource
  return (props: Omit<ComponentProps<typeof TaskDrawer>, 'resource'>) =>
    createElement(TaskDrawer, { ...props, resource })
}

/** Web part of the feature `tasks`: tasks of the team. */
export const tasksWeb: WebFeature = {
  screens: [
    {
      path: '/tarefas',
      title: t('Tarefas'),
      icon: 'TaskIcon',
      can: 'tasks:write',
      menu: { place: 'agenda', order: 3 },
      countsUnread: 'tasks',
      load: async () => {
        const [{ taskScreen }, { tasks }] = await Promise.all([import('./task-screen.tsx'), import('../tasks.ts')])
        // Its rows have more than fields.
        return taskScreen(tasks as unknown as Resource)
      },
    },
  ],
}
