import { addresses } from '#kit/addresses.ts'

/** API routes of `hours`. */
export const hours = addresses('hours', {
  get: { method: 'GET', path: '/tenants/business-hours', can: 'settings:read' },
  setWeek: { method: 'PUT', path: '/tenants/business-hours', can: 'hours:write', touches: ['hours'] },
  setMessage: { method: 'PUT', path: '/tenants/message-business-hours', can: 'hours:write', touches: ['hours'] },
  setHolidays: { method: 'PUT', path: '/tenants/holidays', can: 'hours:write', touches: ['hours'] },
})
