import { createStore } from '#web/store.ts'

/** Counters of notes that mention the person: unseen ones (up to 100), and whether any exist. */
export const mentionCounts = createStore({ unseen: 0, any: false })
