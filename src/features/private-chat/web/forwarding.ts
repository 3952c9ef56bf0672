import { createStore } from '#web/store.ts'
import type { PrivateMessage } from '../contract.ts'

/** Store of the message whose forward dialog is open. */
export const forwarding = createStore<PrivateMessage | null>(null)
