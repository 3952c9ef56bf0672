import type { EventAddresses } from './addresses.ts'

/** Event sent to a user whose permissions, menu or settings have changed; the browser reloads its permissions. */
export const permissionEvents = {
  changed: { channel: 'standing', type: 'standing:changed', durable: false },
} as const satisfies EventAddresses
