import type { EventAddresses } from './addresses.ts'

/** Addresses of `bulkEvents`. */
export const bulkEvents = {
  progress: { channel: 'bulk', type: 'bulk:progress', durable: true },
} as const satisfies EventAddresses
