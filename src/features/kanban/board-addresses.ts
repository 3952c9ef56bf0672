import { addresses } from '#kit/addresses.ts'

/** API routes of `board`. */
export const board = addresses('board', {
  get: { method: 'GET', path: '/contactsKanban', can: 'kanban:read' },
  column: { method: 'GET', path: '/contactsBySpecificKanban', can: 'kanban:read' },
  cards: { method: 'GET', path: '/contactsKanban/cards', can: 'kanban:read' },
  tags: { method: 'GET', path: '/contactsByTags', can: 'kanban:read' },
  tagColumn: { method: 'GET', path: '/contactsBySpecificTag', can: 'kanban:read' },
  replaceStage: { method: 'POST', path: '/kanban/:id/replace', can: 'stages:write', touches: ['stages', 'board'] },
})
