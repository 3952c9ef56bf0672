/** How a connection stands: names of the wire (product facts 5.3). Only one that is DISCONNECTED waits for a person. */
export type ConnectionStatus = 'OPENING' | 'qrcode' | 'PAIRING' | 'TIMEOUT' | 'CONNECTED' | 'DISCONNECTED'

/**
 * What happens to a connection: a person starts or ends it; the process that has it begins to open it, or finds it lost;
 * its channel shows a code, saw it read, or is through.
 */
export type ConnectionChange = 'start' | 'open' | 'qrcode' | 'pairing' | 'connected' | 'lost' | 'end'

const linking = ['OPENING', 'qrcode', 'PAIRING', 'TIMEOUT'] as const
const open = [...linking, 'CONNECTED'] as const

const changes: Readonly<
  Record<ConnectionChange, { readonly from: readonly ConnectionStatus[]; readonly to: ConnectionStatus }>
> = {
  start: { from: [...open, 'DISCONNECTED'], to: 'OPENING' },
  open: { from: open, to: 'OPENING' },
  // One that was through has to be lost before it is linked anew.
  qrcode: { from: linking, to: 'qrcode' },
  pairing: { from: linking, to: 'PAIRING' },
  connected: { from: open, to: 'CONNECTED' },
  lost: { from: open, to: 'TIMEOUT' },
  end: { from: [...open, 'DISCONNECTED'], to: 'DISCONNECTED' },
}

/** The status after a change; null where it cannot be: whoever says so is late, and nothing changes. */
export const statusAfter = (status: ConnectionStatus, change: ConnectionChange): ConnectionStatus | null =>
  changes[change].from.includes(status) ? changes[change].to : null

const FIRST_SECONDS = 1
const MOST_SECONDS = 60

/** Seconds until a lost connection is opened again, after so many failures in a row (1 at least): 1 to 60, for ever. */
export const secondsToReopen = (failures: number): number =>
  Math.min(MOST_SECONDS, FIRST_SECONDS * 2 ** Math.min(failures - 1, 10))
