import { createStore } from '#web/store.ts'

/** How many notes that mention the person were not seen (counted up to 100), and whether there are any at all. */
export const mentionCounts = createStore({ unseen: 0, any: false })
