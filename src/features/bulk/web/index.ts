import type { WebFeature } from '#web/shell/screens.ts'
import { deferred, onFirstUse } from '#web/start/deferred.ts'
import { BulkNotice } from './BulkNotice.tsx'
import { followedBefore } from './operations.ts'

export { Refusals } from './Refusals.tsx'
export { type BulkQuestion, isBulkWanted, showBulk } from './run.tsx'
export { addBulkTexts } from './texts.ts'

// Operations followed before a reload load the code at once; otherwise it loads with the first one.
const begin = followedBefore().length > 0 ? deferred : onFirstUse
begin(async () => (await import('./live.ts')).startBulkLive)

/** Web part of the feature `bulk`: bulk operations in blocks, with report and undo (decision 0032). */
export const bulkWeb: WebFeature = { screens: [], bars: [BulkNotice] }
