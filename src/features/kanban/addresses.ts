import { addresses, type EventAddresses, tableAddresses } from '#kit/addresses.ts'

/** What stages of the kanban are called by. */
export const stageTable = {
  name: 'stages',
  path: '/kanban',
  can: { read: 'stages:read', write: 'stages:write' },
} as const

/** The addresses of `stages`. */
export const stages = tableAddresses(stageTable)

/** The addresses of `board`. */
export const board = addresses('board', {
  get: { method: 'GET', path: '/contactsKanban', can: 'kanban:read' },
  column: { method: 'GET', path: '/contactsBySpecificKanban', can: 'kanban:read' },
  cards: { method: 'GET', path: '/contactsKanban/cards', can: 'kanban:read' },
  tags: { method: 'GET', path: '/contactsByTags', can: 'kanban:read' },
  tagColumn: { method: 'GET', path: '/contactsBySpecificTag', can: 'kanban:read' },
  replaceStage: { method: 'POST', path: '/kanban/:id/replace', can: 'stages:write', touches: ['stages', 'board'] },
})

/** The names of `stageEvents`: what is published of every plain table, for screens that do not load its fields. */
export const stageEvents = {
  changed: { channel: 'stages', type: 'stages:changed', durable: true },
} as const satisfies EventAddresses
