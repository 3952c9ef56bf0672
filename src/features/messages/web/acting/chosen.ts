import { createStore } from '#web/store.ts'

/** Selected messages of a conversation, in the order of selection; null outside of selection mode. */
export const chosenMessages = createStore<{ readonly ticketId: number; readonly ids: readonly string[] } | null>(null)
