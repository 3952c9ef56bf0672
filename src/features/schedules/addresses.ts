import { addresses } from '#kit/addresses.ts'

/** API routes of `schedules`. */
export const schedules = addresses('schedules', {
  list: { method: 'GET', path: '/scheduleMessages', can: 'schedules:read' },
  choices: { method: 'GET', path: '/scheduleMessages/choices', can: 'tickets:read' },
  create: {
    method: 'POST',
    path: '/messagesSchedule',
    can: 'tickets:start',
    upload: { maxFiles: 10, maxBytes: 100 * 1024 * 1024 },
    touches: [],
  },
})
