import { EVERYBODY } from '#features/ledger/server/journal/index.ts'
import type { Platform } from '#server/platform.ts'

/** The name of the local WhatsApp in the config of a connection. */
export const WORLD = 'whatsapp'
const CHANNEL = 'labWorld'

/** What is done to a linked number, and to the WhatsApp at which it is linked. */
export const WORLD_ACTS = ['scan', 'cut', 'unlink', 'replace', 'ban', 'away', 'back', 'kill', 'revive'] as const

/** What the process that has a local WhatsApp is asked to do; `work`: what waits on phones, and how they are. */
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
      /** Who of a group does it. */
      readonly by?: number | undefined
    }
  /** The options of a poll for which somebody votes. */
  | {
      readonly act: 'vote'
      readonly phoneId: number
      readonly id: string
      readonly options: readonly string[]
      readonly by?: number | undefined
    }
  /** A group is not what it was, by somebody's hand (their number); `path`: where its new picture lies. */
  | { readonly act: 'group'; readonly phoneId: number; readonly by: string | null; readonly path?: string | undefined }
  | { readonly act: 'scan'; readonly code: string }
  | { readonly act: Exclude<(typeof WORLD_ACTS)[number], 'scan'> }

type Connected = { readonly tenantId: number; readonly connectionId: number }
type Sent = Connected & { readonly order: Order }

/** Tells whichever process has the local WhatsApp of a connection; one that nobody has hears nothing. */
export const orderWorld = ({ bus }: Pick<Platform, 'bus'>, { tenantId, connectionId }: Connected, order: Order): void =>
  bus.publish(EVERYBODY, {
    channel: CHANNEL,
    type: CHANNEL,
    payload: { tenantId, connectionId, order } satisfies Sent,
    audience: { kind: 'tenant' },
  })

/** Calls back for the orders of one connection, until what it answers is called. */
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
