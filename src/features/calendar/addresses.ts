import { addresses, type EventAddresses } from '#kit/addresses.ts'

const admin = 'calendar-accounts:write'
const accounts = '/google-calendar-configs'

/** API routes of `calendarAccounts`. */
export const calendarAccounts = addresses('calendarAccounts', {
  list: { method: 'GET', path: accounts, can: admin },
  choices: { method: 'GET', path: `${accounts}/choices`, can: 'calendar:read' },
  get: { method: 'GET', path: `${accounts}/:id`, can: admin },
  create: { method: 'POST', path: accounts, can: admin, touches: ['calendarAccounts'] },
  update: { method: 'PUT', path: `${accounts}/:id`, can: admin, touches: ['calendarAccounts'] },
  remove: { method: 'DELETE', path: `${accounts}/:id`, can: admin, touches: ['calendarAccounts', 'calendar'] },
  login: { method: 'POST', path: '/google-calendar/auth/url', can: admin, touches: [] },
  finish: {
    method: 'POST',
    path: '/google-calendar/auth/token',
    can: admin,
    touches: ['calendarAccounts', 'calendar'],
  },
  sync: { method: 'POST', path: `${accounts}/:id/sync`, can: admin, touches: ['calendarAccounts'] },
})

/** API routes of `calendarEvents`. */
export const calendarEvents = addresses('calendarEvents', {
  list: { method: 'GET', path: '/google-calendar-list/events', can: 'calendar:read' },
  create: { method: 'POST', path: '/google-calendar-create/events', can: 'calendar:write', touches: ['calendar'] },
  update: { method: 'PUT', path: '/google-calendar-update/events/:id', can: 'calendar:write', touches: ['calendar'] },
  reconcile: {
    method: 'POST',
    path: '/google-calendar-update/events/:id/reconcile',
    can: 'calendar:write',
    touches: ['calendar'],
  },
  remove: {
    method: 'DELETE',
    path: '/google-calendar-delete/events/:id',
    can: 'calendar:write',
    touches: ['calendar'],
  },
})

/** API routes of `calendar`. */
export const calendar = addresses('calendar', {
  view: { method: 'GET', path: '/calendar', can: 'calendar:read' },
})

/** Event names of `calendarChanges`. */
export const calendarChanges = {
  changed: { channel: 'calendar', type: 'calendar:changed', durable: true },
} as const satisfies EventAddresses
