import { MOST_CODES, type OutageCause } from './causes.ts'

/** Status of a connection on the wire (product facts 5.3). Only DISCONNECTED requires a person. */
export type ConnectionStatus = 'OPENING' | 'qrcode' | 'PAIRING' | 'TIMEOUT' | 'CONNECTED' | 'DISCONNECTED'

/**
 * Event that changes a connection's status: a person starts or ends it; its process opens or loses it; the channel shows a
 * QR code, has it scanned, or connects; a code expires.
 */
export type ConnectionChange = 'start' | 'open' | 'qrcode' | 'expired' | 'pairing' | 'connected' | 'lost' | 'end'

/** State of a connection: status, unread codes so far, and the cause of an outage (null: none, or never connected). */
export type ConnectionState = {
  readonly status: ConnectionStatus
  readonly codes: number
  readonly cause: OutageCause | null
}

const linking = ['OPENING', 'qrcode', 'PAIRING', 'TIMEOUT'] as const
const open = [...linking, 'CONNECTED'] as const

const changes: Readonly<
  Record<ConnectionChange, { readonly from: readonly ConnectionStatus[]; readonly to: ConnectionStatus }>
> = {
  start: { from: [...open, 'DISCONNECTED'], to: 'OPENING' },
  open: { from: open, to: 'OPENING' },
  // A connected link has to be lost before it is linked again.
  qrcode: { from: linking, to: 'qrcode' },
  expired: { from: ['qrcode'], to: 'qrcode' },
  pairing: { from: linking, to: 'PAIRING' },
  connected: { from: open, to: 'CONNECTED' },
  lost: { from: open, to: 'TIMEOUT' },
  end: { from: [...open, 'DISCONNECTED'], to: 'DISCONNECTED' },
}

/**
 * Returns the state after a change; null if the change is impossible, and so outdated. `cause` goes with `lost` and
 * `end`. After the last allowed code, another one or its expiry stops the connection.
 */
export function stateAfter(
  { status, codes, cause }: ConnectionState,
  change: ConnectionChange,
  because?: OutageCause,
): ConnectionState | null {
  if (!changes[change].from.includes(status)) return null
  const to = changes[change].to
  const isUnread = codes >= MOST_CODES && (change === 'qrcode' || change === 'expired')
  if (isUnread) return { status: 'DISCONNECTED', codes, cause: 'unread' }
  if (change === 'start' || change === 'connected') return { status: to, codes: 0, cause: null }
  if (change === 'end') return { status: to, codes, cause: because ?? 'person' }
  if (change === 'lost') return { status: to, codes, cause: because ?? 'network' }
  return { status: to, codes: change === 'qrcode' ? codes + 1 : codes, cause }
}

const FIRST_SECONDS = 1
const MOST_SECONDS = 60

/** Returns the reconnect delay in seconds after `failures` (at least 1) failures in a row: 1 to 60, without end. */
export const secondsToReopen = (failures: number): number =>
  Math.min(MOST_SECONDS, FIRST_SECONDS * 2 ** Math.min(failures - 1, 10))
