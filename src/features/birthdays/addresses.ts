import { addresses } from '#kit/addresses.ts'

/** API routes of `birthdays`. */
export const birthdays = addresses('birthdays', {
  list: { method: 'GET', path: '/contactsBirthday', can: 'birthdays:read' },
  settings: { method: 'GET', path: '/birthdays/settings', can: 'birthdays:write' },
  save: {
    method: 'PUT',
    path: '/birthdays/settings/:id',
    can: 'birthdays:write',
    upload: { maxFiles: 1, maxBytes: 16 * 1024 * 1024 },
    touches: ['birthdays'],
  },
  send: { method: 'POST', path: '/messages/sendBirthday', can: 'birthdays:send', touches: ['birthdays'] },
})
