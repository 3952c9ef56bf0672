import type { EventAddresses } from './addresses.ts'

/** Sent to a user whose rights, menu or settings have changed; the browser reloads its permissions. */
export const permissionEvents = {
  changed: { channel: 'standing', type: 'standing:changed', durable: false },
} as const satisfies EventAddresses
