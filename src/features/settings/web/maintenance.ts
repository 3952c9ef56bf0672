import type { Command } from '#web/ui/layout/command.ts'

type Load = () => Promise<readonly Command[]>
let registered: Load = async () => []

/** Says what mends what the company has stored (`web/features.tsx`). */
export const registerMaintenance = (load: Load): void => {
  registered = load
}

/** What was registered. */
export const loadMaintenance: Load = () => registered()
