import { addresses } from '#kit/addresses.ts'

/** API routes of `dashboard`. */
export const dashboard = addresses('dashboard', {
  live: { method: 'GET', path: '/dashboard/live', can: 'dashboard:read' },
  columns: { method: 'GET', path: '/dashboard/columns', can: 'panel:read' },
})
