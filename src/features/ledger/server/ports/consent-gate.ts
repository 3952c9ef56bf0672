import { present } from '#domain/present.ts'
import type { Queryable } from '#server/db/db.ts'
import type { ChannelConversation } from './channels.ts'

/** Returns whether the person at an address refuses what is about to be sent there. */
export type ConsentGate = (
  db: Queryable,
  channel: string,
  conversation: ChannelConversation,
  message: {
    readonly id: string
    readonly isTemplate: boolean
    readonly isAutomatic: boolean
    readonly sendType: string
  },
) => Promise<boolean>

let registered: ConsentGate | undefined

/** Registers the gate (`server/features.ts`). */
export const registerConsentGate = (gate: ConsentGate): void => {
  registered = gate
}

/** Returns the registered gate. */
export const consentGate = (): ConsentGate => present(registered)
