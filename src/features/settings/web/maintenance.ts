import type { Command } from '#web/ui/layout/command.ts'

type Load = () => Promise<readonly Command[]>
let registered: Load = async () => []

/** Registers the loader of the maintenance commands (`web/features.tsx`). */
export const registerMaintenance = (load: Load): void => {
  registered = load
}

/** Loads the registered maintenance commands. */
export const loadMaintenance: Load = () => registered()
