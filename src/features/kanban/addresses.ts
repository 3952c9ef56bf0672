import { type EventAddresses, tableAddresses } from '#kit/addresses.ts'

/** Name, path and permissions of the table of kanban stages. */
export const stageTable = {
  name: 'stages',
  path: '/kanban',
  can: { read: 'stages:read', write: 'stages:write' },
} as const

/** API routes of `stages`. */
export const stages = tableAddresses(stageTable)

/** Event names of stages: those of every simple table, for screens that do not load its fields. */
export const stageEvents = {
  changed: { channel: 'stages', type: 'stages:changed', durable: true },
} as const satisfies EventAddresses
