import { addresses, type EventAddress, type EventAddresses, tableAddresses } from '#kit/addresses.ts'

/** Name, path and permissions of the table of tasks. */
export const taskTable = {
  name: 'tasks',
  path: '/todoLists',
  can: { read: 'tasks:write', write: 'tasks:write' },
} as const

/** API routes of `tasks`. */
export const tasks = tableAddresses(taskTable)

/** API routes of `taskLogs`. */
export const taskLogs = addresses('taskLogs', {
  list: { method: 'GET', path: '/todoLists/:userId/logs', can: 'tasks:write' },
})

/** API routes of `taskCounts`. */
export const taskCounts = addresses('taskCounts', {
  mine: { method: 'GET', path: '/todoLists/count', can: 'tasks:write' },
})

/** Event names of `taskEvents`. */
export const taskEvents = {
  notice: { channel: 'tasks', type: 'task:notice', durable: true },
} as const satisfies EventAddresses

/** Event name of changed tasks, as their table publishes it. */
export const taskChanged = { channel: 'tasks', type: 'tasks:changed', durable: true } as const satisfies EventAddress

/** Route of the user list, copied from its feature. */
export const colleagues = addresses('users', { list: { method: 'GET', path: '/users', can: 'users:read' } }).list
