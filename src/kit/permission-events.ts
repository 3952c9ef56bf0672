import type { EventAddresses } from './addresses.ts'

/** Told to a person whose rights, menu or settings have just changed: the browser reads its permissions again. */
export const permissionEvents = {
  changed: { channel: 'standing', type: 'standing:changed', durable: false },
} as const satisfies EventAddresses
