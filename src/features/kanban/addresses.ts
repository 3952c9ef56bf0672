import { type EventAddresses, tableAddresses } from '#kit/addresses.ts'

/** What stages of the kanban are called by. */
export const stageTable = {
  name: 'stages',
  path: '/kanban',
  can: { read: 'stages:read', write: 'stages:write' },
} as const

/** API routes of `stages`. */
export const stages = tableAddresses(stageTable)

/** The names of `stageEvents`: what is published of every plain table, for screens that do not load its fields. */
export const stageEvents = {
  changed: { channel: 'stages', type: 'stages:changed', durable: true },
} as const satisfies EventAddresses
