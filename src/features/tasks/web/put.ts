import { call } from '#web/client.ts'
import { tasks as at } from '../addresses.ts'
import type { Task } from '../tasks.ts'

/** Changes the status of a task; its day decides which of the open statuses it gets. */
export const put = (id: number, status: Task['status']): Promise<Task> =>
  call(at.update, { params: { id }, body: { status } }, { quiet: true })
