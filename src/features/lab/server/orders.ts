import { EVERYBODY } from '#features/ledger/server/journal/index.ts'
import type { Platform } from '#server/platform.ts'

/** Name of the local WhatsApp in a connection's config. */
export const WORLD = 'whatsapp'
const CHANNEL = 'labWorld'

/** Acts on a linked number, and on the local WhatsApp that it is linked at. */
export const WORLD_ACTS = ['scan', 'cut', 'unlink', 'replace', 'ban', 'away', 'back', 'kill', 'revive'] as const

/** Order to the process that runs a local WhatsApp; `work`: process pending messages and changed phones. */
export type Order =
  | { readonly act: 'work' }
  | { readonly act: 'ring'; readonly phoneId: number }
  | { readonly act: 'typing'; readonly phoneId: number; readonly state: 'composing' | 'recording' | 'paused' }
  | {
      readonly act: 'confirm'
      readonly phoneId: number
      readonly ids: readonly string[]
      readonly as: 'read' | 'played'
    }
  | {
      readonly act: 'change'
      readonly phoneId: number
      readonly id: string
      readonly what: 'edit' | 'revoke' | 'react'
      /** Id of the group member who acts. */
      readonly by?: number | undefined
    }
  /** Vote for options of a poll. */
  | {
      readonly act: 'vote'
      readonly phoneId: number
      readonly id: string
      readonly options: readonly string[]
      readonly by?: number | undefined
    }
  /** Change of a group by a member (number); `path`: path of its new picture. */
  | { readonly act: 'group'; readonly phoneId: number; readonly by: string | null; readonly path?: string | undefined }
  | { readonly act: 'scan'; readonly code: string }
  | { readonly act: Exclude<(typeof WORLD_ACTS)[number], 'scan'> }

type Connected = { readonly tenantId: number; readonly connectionId: number }
type Sent = Connected & { readonly order: Order }

/** Publishes an order to the process that runs the local WhatsApp of a connection; without effect if none does. */
export const orderWorld = ({ bus }: Pick<Platform, 'bus'>, { tenantId, connectionId }: Connected, order: Order): void =>
  bus.publish(EVERYBODY, {
    channel: CHANNEL,
    type: CHANNEL,
    payload: { tenantId, connectionId, order } satisfies Sent,
    audience: { kind: 'tenant' },
  })

/** Subscribes to the orders of one connection; returns an unsubscribe function. */
export const onOrders = (
  { bus }: Pick<Platform, 'bus'>,
  { tenantId, connectionId }: Connected,
  listener: (order: Order) => void,
): (() => void) =>
  bus.subscribe((to, changes) => {
    if (to !== EVERYBODY) return
    for (const { channel, payload } of changes) {
      const sent = payload as Sent
      if (channel === CHANNEL && sent.tenantId === tenantId && sent.connectionId === connectionId) listener(sent.order)
    }
  })
