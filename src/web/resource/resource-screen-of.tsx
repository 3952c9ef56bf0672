import type { Resource } from '#kit/resource.ts'
import type { Screen } from '../screens.ts'

/** The screen of a plain table as a line of the screens table: opened by who may write it, titled by its description. */
export function screenOf(resource: Resource, at: Pick<Screen, 'path' | 'icon' | 'menu' | 'shortcut'>): Screen {
  return {
    title: resource.spec.title,
    can: resource.spec.can.write,
    ...at,
    load: async () => {
      const { ResourceScreen } = await import('./resource-screen.tsx')
      return () => <ResourceScreen resource={resource} />
    },
  }
}
