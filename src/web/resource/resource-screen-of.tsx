import type { Resource } from '#kit/resource.ts'
import type { Screen } from '../shell/screens.ts'

/**
 * Returns the screen of a plain table for the screens table. Its description is loaded with the list when it is opened, so
 * that the first page carries neither.
 */
export function screenOf(read: () => Promise<Resource>, at: Omit<Screen, 'load'>): Screen {
  return {
    ...at,
    load: async () => {
      const [{ ResourceScreen }, resource] = await Promise.all([import('./ResourceScreen.tsx'), read()])
      return () => <ResourceScreen resource={resource} />
    },
  }
}
