import { ownPath } from '../session/session.ts'

/** Module that a page starts with. */
export type BootModule = { name: string; start: () => unknown }

/** Creates the error that redirects the whole page within this site, thrown by a boot module. */
export const leaveFor = (url: string): Error => Object.assign(new Error(`page leaves for ${url}`), { url })

/**
 * Starts the modules one after the other. One that fails is logged and the rest continue; one whose error carries an
 * address of this site redirects the whole page there, and nothing more is started (specification §2).
 */
export async function startPage(modules: readonly BootModule[], go: (url: string) => void): Promise<void> {
  for (const { name, start } of modules) {
    try {
      await start()
    } catch (error) {
      const url = ownPath((error as { url?: string } | null)?.url ?? null)
      if (url) return go(url)
      console.error(`boot: ${name}`, error)
    }
  }
}
