import { addresses, tableAddresses } from '#kit/addresses.ts'

/** What tasks are called by. */
export const taskTable = {
  name: 'tasks',
  path: '/todoLists',
  can: { read: 'tasks:write', write: 'tasks:write' },
} as const

/** The addresses of `tasks`. */
export const tasks = tableAddresses(taskTable)

/** The addresses of `taskLogs`. */
export const taskLogs = addresses('taskLogs', {
  list: { method: 'GET', path: '/todoLists/:userId/logs', can: 'tasks:write' },
})

/** Where colleagues are read, as their feature has it. */
export const colleagues = addresses('users', { list: { method: 'GET', path: '/users', can: 'users:read' } }).list
