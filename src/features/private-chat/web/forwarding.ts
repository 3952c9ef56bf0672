import { createStore } from '#web/store.ts'
import type { PrivateMessage } from '../contract.ts'

/** The message for which somebody chooses to whom it is passed on. */
export const forwarding = createStore<PrivateMessage | null>(null)
