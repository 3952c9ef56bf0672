import { createStore } from '#web/store.ts'

/** Messages of a conversation that are chosen together, in the order of choosing; null: nobody chooses. */
export const chosenMessages = createStore<{ readonly ticketId: number; readonly ids: readonly string[] } | null>(null)
