import type { Resource } from '#kit/resource.ts'
import type { Screen } from '../shell/screens.ts'

/**
 * The screen of a plain table as a line of the screens table. Its description comes with the list when it is opened, so
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
