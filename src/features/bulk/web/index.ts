import type { WebFeature } from '#web/shell/screens.ts'
import { deferred } from '#web/start/deferred.ts'
import { BulkNotice } from './BulkNotice.tsx'

export { follow } from './operations.ts'
export { Refusals } from './Refusals.tsx'
export { addBulkTexts } from './texts.ts'

/** Takes an operation back, and tells what could not be. */
export const undoBulk = async (id: string): Promise<void> => (await import('./undo.ts')).undo(id)

deferred(async () => (await import('./live.ts')).startBulkLive)

/** What goes on by itself is seen on every screen, until its end was seen. */
export const bulkWeb: WebFeature = { screens: [], bars: [BulkNotice] }
